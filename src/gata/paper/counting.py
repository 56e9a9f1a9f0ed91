"""Numbers of things in words."""


def counted(number: int, thing: str) -> str:
    """``1 run``, ``3 runs``, ``no runs``."""
    return f"{number or 'no'} {thing}{'' if number == 1 else 's'}"
