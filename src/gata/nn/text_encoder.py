"""The text encoder: a transformer block that begins with convolutions."""

from torch import Tensor, nn
from torch.nn import functional

from gata.nn.attention import SelfAttentionLayer
from gata.nn.masking import Encoded, hide, masked_mean
from gata.nn.positions import Positions
from gata.nn.tokens import token_mask


class ConvolutionLayer(nn.Module):
    """LN(x + ReLU(conv(x))), the convolution along the text.

    ``separable``: each of the H numbers is convolved by itself, then all are mixed.
    """

    def __init__(self, hidden: int, kernel: int, *, separable: bool) -> None:
        super().__init__()
        self.along = nn.Conv1d(
            hidden,
            hidden,
            kernel,
            padding=kernel // 2,
            groups=hidden if separable else 1,
            bias=not separable,
        )
        self.mix: nn.Module = nn.Linear(hidden, hidden) if separable else nn.Identity()
        self.norm = nn.LayerNorm(hidden)

    def forward(self, encoded: Encoded) -> Encoded:
        """What is not there reads as the zeros beyond a text's ends."""
        values, mask = hide(*encoded)
        convolved = self.mix(self.along(values.mT).mT)
        return Encoded(self.norm(values + functional.relu(convolved)), mask)


class TextEncoder(nn.Module):
    """From words to vectors in context.

    Positions are added; then come convolutions, self-attention and a two-layer MLP, each with a
    residual connection and layer norm after it.
    """

    def __init__(
        self, hidden: int, *, convolutions: int, kernel: int, separable: bool, max_length: int
    ) -> None:
        super().__init__()
        self.positions = Positions(hidden, max_length)
        self.convolutions = nn.ModuleList(
            ConvolutionLayer(hidden, kernel, separable=separable) for _ in range(convolutions)
        )
        self.attention = SelfAttentionLayer(hidden)
        self.mlp = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.norm = nn.LayerNorm(hidden)

    def forward(self, ids: Tensor, words: Tensor) -> Encoded:
        """Encode texts.

        Args:
            ids: (batch, length) of words.
            words: (V, H), the words' vectors (``Tables.words``).

        Returns:
            (batch, length, H).
        """
        encoded = Encoded(self.positions(functional.embedding(ids, words)), token_mask(ids))
        for layer in self.convolutions:
            encoded = layer(encoded)
        values, mask = self.attention(encoded)
        return hide(self.norm(values + self.mlp(values)), mask)

    def summarise(self, ids: Tensor, words: Tensor) -> Tensor:
        """One vector per text, the mean of its tokens': (batch, length) -> (batch, H)."""
        return masked_mean(self(ids, words))
