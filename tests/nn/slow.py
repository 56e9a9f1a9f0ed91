"""The paper's formulas, one sample at a time, one vector at a time: no batches, no masks.

A text or a graph is a list of vectors. Weights are read from the modules under test.
"""

import math

import torch
from torch import Tensor, nn

Row = list[Tensor]


def linear(layer: nn.Linear, x: Tensor) -> Tensor:
    out = torch.stack([(layer.weight[k] * x).sum() for k in range(layer.weight.shape[0])])
    return out if layer.bias is None else out + layer.bias


def mlp(layers: nn.Sequential, x: Tensor) -> Tensor:
    for layer in layers:
        x = linear(layer, x) if isinstance(layer, nn.Linear) else relu(x)
    return x


def relu(x: Tensor) -> Tensor:
    return torch.where(x > 0, x, torch.zeros_like(x))


def sigmoid(x: Tensor) -> Tensor:
    return 1 / (1 + torch.exp(-x))


def norm(layer: nn.LayerNorm, x: Tensor) -> Tensor:
    mean = x.sum() / len(x)
    variance = ((x - mean) ** 2).sum() / len(x)
    return (x - mean) / torch.sqrt(variance + layer.eps) * layer.weight + layer.bias


def softmax(scores: Row) -> Row:
    top = torch.stack(scores).max()
    total = sum(torch.exp(s - top) for s in scores)
    return [torch.exp(s - top) / total for s in scores]


def mean(row: Row) -> Tensor:
    return sum(row) / len(row)


def attention(queries: Row, keys: Row, values: Row) -> tuple[Row, list[Row]]:
    """Without keys a query sees nothing."""
    seen, weights = [], []
    for q in queries:
        w = softmax([(q * k).sum() / math.sqrt(len(q)) for k in keys]) if keys else []
        seen.append(sum((a * v for a, v in zip(w, values, strict=True)), torch.zeros_like(q)))
        weights.append(w)
    return seen, weights


def self_attention(module, row: Row, past_only: bool = False) -> Row:
    size = len(row[0])
    q, k, v = ([module.inputs.weight[i * size : (i + 1) * size] @ x for x in row] for i in range(3))
    seen = []
    for i in range(len(row)):
        end = i + 1 if past_only else len(row)
        seen += attention(q[i : i + 1], k[:end], v[:end])[0]
    return [linear(module.output, x) for x in seen]


def self_attention_layer(module, row: Row) -> Row:
    seen = self_attention(module.attention, row)
    return [norm(module.norm, x + y) for x, y in zip(row, seen, strict=True)]


def cross_attention(module, row: Row, memory: Row) -> tuple[Row, list[Row]]:
    size = len(row[0])
    q = [linear(module.query, x) for x in row]
    k = [module.memory.weight[:size] @ m for m in memory]
    v = [module.memory.weight[size:] @ m for m in memory]
    seen, weights = attention(q, k, v)
    return [linear(module.output, x) for x in seen], weights


def position(place: int, hidden: int) -> Tensor:
    half = hidden // 2
    waves = [10_000 ** (k / (half - 1)) for k in range(half)]
    return torch.tensor([math.sin(place / w) for w in waves] + [math.cos(place / w) for w in waves])


def text_encoder(module, ids: list[int], words: Tensor) -> Row:
    hidden = words.shape[1]
    row = [words[w] + position(i, hidden) for i, w in enumerate(ids)]
    for layer in module.convolutions:
        kernel = layer.along.weight
        width = kernel.shape[2]
        convolved = []
        for i in range(len(row)):
            out = torch.zeros(hidden)
            for k in range(width):
                j = i + k - width // 2
                if 0 <= j < len(row):
                    separable = kernel.shape[1] == 1
                    out = out + (
                        kernel[:, 0, k] * row[j] if separable else kernel[:, :, k] @ row[j]
                    )
            if layer.along.bias is not None:
                out = out + layer.along.bias
            convolved.append(linear(layer.mix, out) if isinstance(layer.mix, nn.Linear) else out)
        row = [norm(layer.norm, x + relu(c)) for x, c in zip(row, convolved, strict=True)]
    row = self_attention_layer(module.attention, row)
    return [norm(module.norm, x + mlp(module.mlp, x)) for x in row]


def aggregator(module, first: Row, second: Row) -> tuple[Row, Row]:
    second_mlp, w = module.second_mlp, module.similarity.flatten()
    if second_mlp is None:  # both sides are alike
        second_mlp = module.first_mlp
        w = torch.cat([module.similarity[0], module.similarity[0], module.similarity[1]])
    o, g = [mlp(module.first_mlp, x) for x in first], [mlp(second_mlp, x) for x in second]
    hidden = len(o[0])
    sim = [[(w * torch.cat([a, b, a * b])).sum() for b in g] for a in o]
    s_g = [softmax(row) for row in sim]
    s_o = [softmax([sim[i][j] for i in range(len(o))]) for j in range(len(g))]  # s_o[j][i]

    def both(own: Row, other: Row, along: list[Row], back: list[Row]) -> Row:
        out = []
        for i, x in enumerate(own):
            p = sum(along[i][j] * other[j] for j in range(len(other)))
            q = torch.zeros(hidden)
            for j in range(len(other)):
                for k in range(len(own)):
                    q = q + along[i][j] * back[j][k] * own[k]
            out.append(linear(module.output, torch.cat([x, p, x * p, x * q])))
        return out

    return both(o, g, s_g, s_o), both(g, o, s_o, s_g)


def scorer_state(module, states: list[Row]) -> Tensor:
    return torch.cat(
        [
            mean(self_attention_layer(pooling.attention, state))
            for pooling, state in zip(module.pooling, states, strict=True)
        ]
    )


def score(module, state: Tensor, command: Tensor) -> Tensor:
    weight = torch.cat([module.of_command.weight, module.of_state.weight], dim=1)
    hidden = relu(weight @ torch.cat([command, state]) + module.of_command.bias)
    return linear(module.score, hidden)[0]


def relation_weights(messages, layer: int, relation: int) -> tuple[Tensor, Tensor]:
    """W_r of one layer, as (for a node, for a label), each (input, H); relation 2R is self."""
    own = relation == 2 * _relations(messages)
    if hasattr(messages, "coefficients"):
        nodes = messages.first_bases if layer == 0 else messages.later_bases[layer - 1]
        labels = messages.label_bases[layer]
        if own:
            return nodes[-1], labels[-1]
        a = messages.coefficients[layer, :, relation]
        return (
            sum(a[b] * nodes[b] for b in range(len(a))),
            sum(a[b] * labels[b] for b in range(len(a))),
        )
    down = messages.first_down if layer == 0 else messages.later_down[layer - 1]
    up = messages.up[layer]
    return down[:, relation] @ up, messages.label_down[layer, relation] @ up


def _relations(messages) -> int:
    if hasattr(messages, "coefficients"):
        return messages.coefficients.shape[2] // 2
    return messages.relations


def graph_encoder(module, adjacency: Tensor, features: Row, labels: Row, activation) -> Row:
    """All nodes of one graph, adjacency (R, N, N); the caller leaves out absent ones."""
    messages = module.messages
    whole = torch.cat([adjacency, adjacency.transpose(1, 2)])
    nodes, entered = list(features), [linear(module.enter, x) for x in features]
    for layer, gate in enumerate(module.gates):
        new = []
        for i in range(len(nodes)):
            m = messages.bias[layer]
            for r in range(len(whole)):
                of_node, of_label = relation_weights(messages, layer, r)
                for j in range(len(nodes)):
                    m = m + whole[r, i, j] * (nodes[j] @ of_node + labels[r] @ of_label)
            if messages.self_loops:
                of_node, of_label = relation_weights(messages, layer, len(whole))
                m = m + nodes[i] @ of_node + labels[-1] @ of_label
            new.append(activation(m))
        before = entered if layer == 0 else nodes
        gates = [sigmoid(linear(gate, x)) for x in new]
        nodes = [g * n + (1 - g) * h for g, n, h in zip(gates, new, before, strict=True)]
    return nodes


def gru(cell: nn.GRUCell, x: Tensor, h: Tensor) -> Tensor:
    size = len(h)
    wi, wh, bi, bh = cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh
    parts = [slice(k * size, (k + 1) * size) for k in range(3)]
    reset, update = (sigmoid(wi[p] @ x + bi[p] + wh[p] @ h + bh[p]) for p in parts[:2])
    p = parts[2]
    new = torch.tanh(wi[p] @ x + bi[p] + reset * (wh[p] @ h + bh[p]))
    return (1 - update) * new + update * h


def lstm(cell: nn.LSTMCell, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    gates = cell.weight_ih @ x + cell.bias_ih + cell.weight_hh @ h + cell.bias_hh
    i, f, g, o = gates.split(len(h))
    c = sigmoid(f) * c + sigmoid(i) * torch.tanh(g)
    return sigmoid(o) * torch.tanh(c), c


def decoder(module, ids: list[int], words: Tensor, graph: Row, text: Row, text_ids: list[int]):
    """Log-probabilities after each token of ``ids``; copying if the module can."""
    block = module.block
    row = [words[w] + position(i, words.shape[1]) for i, w in enumerate(ids)]
    seen = self_attention(block.own, row, past_only=True)
    own = [norm(block.own_norm, x + y) for x, y in zip(row, seen, strict=True)]
    of_graph, _ = cross_attention(block.graph, own, graph)
    of_text, weights = cross_attention(block.text, own, text)
    result = []
    for x, a, b, w in zip(own, of_graph, of_text, weights, strict=True):
        both = torch.cat([norm(block.graph_norm, x + a), norm(block.text_norm, x + b)])
        value = norm(block.norm, x + mlp(block.mlp, both))
        p = torch.stack(softmax(list(linear(module.vocabulary, value))))
        if hasattr(module, "switch"):
            inner = torch.tanh(linear(module.switch[0], torch.cat([b, x])))
            s = sigmoid(linear(module.switch[2], inner))[0]
            copied = [torch.zeros(())] * len(p)
            for weight, word in zip(w, text_ids, strict=True):
                copied[word] = copied[word] + weight
            p = s * p + (1 - s) * torch.stack(copied)
        result.append(torch.log(p))
    return result
