"""The text encoder: a transformer block that begins with convolutions."""

from torch import Tensor, nn
from torch.nn import functional

from gata.nn import fused
from gata.nn.attention import SelfAttentionLayer
from gata.nn.masking import Encoded, hide, masked_mean
from gata.nn.positions import Positions
from gata.nn.tokens import token_mask


class ConvolutionLayer(nn.Module):
    """LN(x + ReLU(conv(x))), the convolution along the text.

    ``separable``: each of the H numbers is convolved by itself, then all are mixed.

    The windows are laid out and multiplied by the filters, one matrix product: libraries of
    convolutions set themselves up anew for each length. A GPU has a kernel for it.
    """

    def __init__(self, hidden: int, kernel: int, *, separable: bool) -> None:
        super().__init__()
        self.along = nn.Conv1d(
            hidden, hidden, kernel, groups=hidden if separable else 1, bias=not separable
        )
        self.mix: nn.Module = nn.Linear(hidden, hidden) if separable else nn.Identity()
        self.norm = nn.LayerNorm(hidden)

    def forward(self, encoded: Encoded) -> Encoded:
        """What is not there reads as the zeros beyond a text's ends."""
        if self.along.groups == 1 and fused.usable(encoded.values):
            from gata.nn.fused.convolution import convolution_layer

            return Encoded(convolution_layer(*encoded, self.along, self.norm), encoded.mask)
        values, mask = hide(*encoded)
        convolved = self.mix(self._convolve(values))
        return Encoded(self.norm(values + functional.relu(convolved)), mask)

    def _convolve(self, values: Tensor) -> Tensor:
        kernel = self.along.kernel_size[0]
        padded = functional.pad(values, (0, 0, kernel // 2, kernel // 2))
        windows = padded.unfold(1, kernel, 1)  # (batch, length, H, kernel)
        if self.along.groups > 1:
            return (windows * self.along.weight.squeeze(1)).sum(-1)
        return functional.linear(windows.flatten(2), self.along.weight.flatten(1), self.along.bias)


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
        encoded = Encoded(self._embed(ids, words), token_mask(ids))
        for layer in self.convolutions:
            encoded = layer(encoded)
        values, mask = self.attention(encoded)
        if fused.usable(values):
            from gata.nn.fused.norm import mlp_norm

            first, _, second = self.mlp
            result = mlp_norm(values, mask, first, second, self.norm)  # type: ignore[arg-type]
            return Encoded(result, mask)
        return hide(self.norm(values + self.mlp(values)), mask)

    def _embed(self, ids: Tensor, words: Tensor) -> Tensor:
        if fused.usable(words):
            from gata.nn.fused.embedding import embed

            return embed(ids, words, self.positions.of(ids.shape[-1]))
        return self.positions(functional.embedding(ids, words))  # type: ignore[no-any-return]

    def summarise(self, ids: Tensor, words: Tensor) -> Tensor:
        """One vector per text, the mean of its tokens': (batch, length) -> (batch, H)."""
        return masked_mean(self(ids, words))
