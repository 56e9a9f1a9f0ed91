"""Numbers as they are told."""


def counted(number: int, thing: str) -> str:
    """``1 run``, ``3 runs``, ``no runs``."""
    return f"{number or 'no'} {thing}{'' if number == 1 else 's'}"


def two_digits(hours: float) -> str:
    """``0.097``, ``0.30``, ``12``: two digits that count; whole numbers from 100 on."""
    return f"{hours:#.2g}".removesuffix(".") if hours < 99.5 else f"{hours:,.0f}"
