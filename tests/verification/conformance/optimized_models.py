"""Writes what onnxruntime's tools make of exported models, and 4-bit decoders, for `infer_corpus.py --corpus FOLDER`.

`optimized_models.py FROM TO` reads `bert_script.onnx`, `gpt2_script.onnx`, `vit_script.onnx` and `clip_script.onnx`, as
`export_corpus.py` writes them, and needs PyTorch, transformers and onnxruntime-genai, whose builder writes decoders with
GroupQueryAttention and MatMulNBits, and Whisper. Weights are random. What a tool cannot write is told and left out.
"""

import sys
import tempfile
from pathlib import Path

import numpy
import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from onnxruntime.quantization.shape_inference import quant_pre_process
from onnxruntime.transformers.fusion_options import FusionOptions
from onnxruntime.transformers.optimizer import optimize_model

# The kinds of models that the optimizer knows; 4 heads of 8 features each.
KINDS = ("bert", "gpt2", "vit", "clip")


def fused(source, folder, kind, apart=False):
    """A transformer with the attention, the normalizations and the activations in one node each.

    `apart` leaves the products before an attention as they are: MultiHeadAttention then, and Attention otherwise.
    """
    options = FusionOptions(kind)
    options.use_multi_head_attention = apart
    model = optimize_model(
        str(source), kind, num_heads=4, hidden_size=32, opt_level=0, optimization_options=options
    )
    path = folder / f"{source.stem.removesuffix('_script')}_{'heads_' if apart else ''}fused.onnx"
    model.save_model_to_file(str(path))
    return path


def few_bits(source, folder):
    """The same with the weights of products in 4 bits."""
    quantizer = MatMulNBitsQuantizer(onnx.load(source), block_size=16, is_symmetric=False)
    quantizer.process()
    path = folder / f"{source.stem}_4_bits.onnx"
    quantizer.model.save_model_to_file(str(path))


def bytes_at_run(source, folder):
    """The same with the weights of products and of attention in bytes, and scales that are found when the model runs."""
    # The type of what only onnxruntime infers.
    options = {"EnableSubgraph": True, "MatMulConstBOnly": True, "DefaultTensorType": onnx.TensorProto.FLOAT}
    quantize_dynamic(source, folder / f"{source.stem}_dynamic.onnx", weight_type=QuantType.QInt8, extra_options=options)


def session(source, folder, level):
    """The graph of a session that is optimized for this machine."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_ENABLE_{level.upper()}")
    options.optimized_model_filepath = str(folder / f"{source.stem}_{level}.onnx")
    options.log_severity_level = 3
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])


class Drawn(CalibrationDataReader):
    """A few random images."""

    def __init__(self, shape):
        self.images = iter([{"x": numpy.random.default_rng(at).random(shape, numpy.float32)} for at in range(4)])

    def get_next(self):
        return next(self.images, None)


def encoder(folder):
    """A BERT as exporters wrote it when the optimizer was made, which leaves the attention of newer ones as it is."""
    import torch
    from torch import nn

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.out = (nn.Linear(32, 32) for _ in range(4))
            self.wide, self.narrow = nn.Linear(32, 64), nn.Linear(64, 32)
            self.norms = nn.ModuleList([nn.LayerNorm(32, eps=1e-12) for _ in range(2)])

        def forward(self, x, mask):
            def heads(y):
                return y.view(*y.shape[:2], 4, 8).permute(0, 2, 1, 3)

            score = torch.matmul(heads(self.query(x)), heads(self.key(x)).transpose(-1, -2)) / 8**0.5 + mask
            y = torch.matmul(torch.softmax(score, -1), heads(self.value(x))).permute(0, 2, 1, 3).contiguous()
            x = self.norms[0](self.out(y.view(*y.shape[:2], 32)) + x)
            return self.norms[1](self.narrow(nn.functional.gelu(self.wide(x))) + x)

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.word, self.place, self.kind = (nn.Embedding(count, 32) for count in (100, 64, 2))
            self.norm, self.layers = nn.LayerNorm(32, eps=1e-12), nn.ModuleList([Layer(), Layer()])
            self.register_buffer("places", torch.arange(64).unsqueeze(0))

        def forward(self, ids, kinds, mask):
            mask = (1.0 - mask.unsqueeze(1).unsqueeze(2).to(torch.float32)) * -10000.0
            x = self.norm(self.word(ids) + self.kind(kinds) + self.place(self.places[:, : ids.shape[1]]))
            for layer in self.layers:
                x = layer(x, mask)
            return x

    path = folder / "encoder.onnx"
    torch.manual_seed(0)
    ids = torch.randint(0, 99, (2, 7))
    axes = {name: {0: "batch", 1: "seq"} for name in ("input_ids", "token_type_ids", "attention_mask")}
    options = {"input_names": list(axes), "dynamic_axes": axes, "opset_version": 17, "dynamo": False}
    torch.onnx.export(Encoder().eval(), (ids, ids * 0, torch.ones_like(ids)), path, **options)
    return path


def generator(folder):
    """A GPT-2 with what it has computed before, in the form that the optimizer knows too."""
    import torch
    from torch import nn

    class Product(nn.Module):
        def __init__(self, before, after):
            super().__init__()
            self.weight, self.bias = (nn.Parameter(torch.randn(sizes) / 10) for sizes in ((before, after), (after,)))

        def forward(self, x):
            return torch.addmm(self.bias, x.view(-1, x.shape[-1]), self.weight).view(*x.shape[:-1], len(self.bias))

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.heads, self.out = Product(32, 96), Product(32, 32)
            self.wide, self.narrow = Product(32, 128), Product(128, 32)
            self.norms = nn.ModuleList([nn.LayerNorm(32) for _ in range(2)])
            self.register_buffer("earlier", torch.ones(1, 1, 64, 64, dtype=torch.bool).tril())

        def forward(self, x, mask, past):
            parts = self.heads(self.norms[0](x)).split(32, 2)
            query, *others = (part.view(*x.shape[:2], 4, 8).permute(0, 2, 1, 3) for part in parts)
            key, value = (torch.cat(pair, -2) for pair in zip((past[0], past[1]), others))
            score = torch.matmul(query, key.transpose(-1, -2)) / 8**0.5
            # Slices of the dimensions, where an index would give a Gather.
            now, every = (torch._shape_as_tensor(score)[at : at + 1].squeeze(0) for at in (2, 3))
            seen = self.earlier[:, :, every - now : every, :every]
            score = torch.softmax(torch.where(seen, score, torch.tensor(-10000.0)) + mask, -1)
            y = torch.matmul(score, value).permute(0, 2, 1, 3).contiguous()
            x = x + self.out(y.view(*y.shape[:2], 32))
            y = nn.functional.gelu(self.wide(self.norms[1](x)), approximate="tanh")
            return x + self.narrow(y), torch.stack([key, value])

    class Generator(nn.Module):
        def __init__(self):
            super().__init__()
            self.word, self.place = nn.Embedding(100, 32), nn.Embedding(64, 32)
            self.layers, self.norm = nn.ModuleList([Layer(), Layer()]), nn.LayerNorm(32)

        def forward(self, ids, places, mask, *pasts):
            mask = mask.view(ids.shape[0], -1).unsqueeze(1).unsqueeze(2).to(torch.float32)
            x, presents = self.word(ids) + self.place(places), []
            for layer, past in zip(self.layers, pasts):
                x, present = layer(x, (1.0 - mask) * -10000.0, past)
                presents.append(present)
            return self.norm(x), *presents

    path = folder / "gpt2_past.onnx"
    torch.manual_seed(0)
    ids, past = torch.randint(0, 99, (2, 3)), torch.randn(2, 2, 4, 5, 8)
    given = (ids, torch.arange(3) + ids * 0, torch.ones(2, 8, dtype=torch.int64), past, past)
    words, pasts = {0: "batch", 1: "sequence_length"}, {1: "batch", 3: "past_sequence_length"}
    axes = {"input_ids": words, "position_ids": words, "attention_mask": {0: "batch", 1: "total_sequence_length"}}
    axes |= {"past_0": pasts, "past_1": pasts}
    names = {"input_names": list(axes), "output_names": ["y", "present_0", "present_1"]}
    torch.onnx.export(Generator().eval(), given, path, **names, dynamic_axes=axes, opset_version=17, dynamo=False)
    return path


def gated(folder):
    """Convolutions with what else the quantizer has operators for."""
    import torch
    from torch import nn

    class Gated(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second, self.third = nn.Conv2d(3, 8, 3, 2, 1), nn.Conv2d(8, 8, 1), nn.Conv2d(16, 8, 1)

        def forward(self, x):
            x = nn.functional.leaky_relu(self.first(x))
            y = torch.cat([x, self.second(x)], 1)
            y = self.third(y) * torch.sigmoid(x)
            z = torch.where(self.first.bias.view(1, 8, 1, 1) > 0, y, x)
            return torch.softmax(z.mean((2, 3)), -1)

    path = folder / "gated.onnx"
    torch.manual_seed(0)
    options = {"input_names": ["x"], "dynamic_axes": {"x": {0: "batch"}}, "opset_version": 17, "dynamo": False}
    torch.onnx.export(Gated().eval(), torch.randn(1, 3, 32, 32), path, **options)
    return path


def resnet(folder):
    """A small network of convolutions."""
    import torch
    from torch import nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Conv2d(8, 8, 3, 1, 1), nn.Conv2d(8, 8, 3, 1, 1)

        def forward(self, x):
            return torch.relu(self.second(torch.relu(self.first(x))) + x)

    torch.manual_seed(0)
    stem = [nn.Conv2d(3, 8, 7, 2, 3), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    head = [nn.AvgPool2d(2), nn.Sigmoid(), nn.AdaptiveAvgPool2d(1), nn.Flatten(1), nn.Linear(8, 10)]
    model = nn.Sequential(*stem, Block(), Block(), *head).eval()
    path = folder / "resnet.onnx"
    axes = {"x": {0: "batch"}}
    torch.onnx.export(
        model, torch.randn(1, 3, 32, 32), path, input_names=["x"], dynamic_axes=axes, opset_version=17, dynamo=False
    )
    return path


def lstm(folder):
    """A recurrent network."""
    import torch
    from torch import nn

    path = folder / "lstm.onnx"
    example, axes = torch.randn(5, 2, 8), {"x": {0: "seq", 1: "batch"}}
    torch.onnx.export(
        nn.LSTM(8, 16), example, path, input_names=["x"], dynamic_axes=axes, opset_version=17, dynamo=False
    )
    return path


def static(source, folder, form):
    """A network whose tensors are bytes, with scales from a few images."""
    prepared = folder / "prepared.onnx"
    quant_pre_process(source, prepared, skip_symbolic_shape=True)
    target = folder / f"{source.stem}_{form.name.lower()}.onnx"
    try:
        quantize_static(prepared, target, Drawn([1, 3, 32, 32]), quant_format=form, activation_type=QuantType.QUInt8)
    finally:
        prepared.unlink()


def decoders():
    """Name, model of transformers, and for what machine it is built.

    Beside plain attention: weights that the embedding shares, rotation in nodes of its own, norms of queries and keys,
    halves of floats, experts, convolutions and linear attention with states, and the two models that Whisper is.
    """
    import torch
    import transformers as of

    torch.manual_seed(0)
    sizes = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "vocab_size": 128}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 256}
    yield "llama", of.LlamaForCausalLM(of.LlamaConfig(**sizes, **{**heads, "max_position_embeddings": 2048})), "cpu"
    yield "llama_tied", of.LlamaForCausalLM(of.LlamaConfig(**sizes, **heads, tie_word_embeddings=True)), "cpu"
    yield "llama_halves", of.LlamaForCausalLM(of.LlamaConfig(**sizes, **heads)), "dml"
    yield "hunyuan", of.HunYuanDenseV1ForCausalLM(of.HunYuanDenseV1Config(**sizes, **heads, head_dim=16)), "cpu"
    few = {"num_attention_heads": 2, "max_position_embeddings": 256}
    yield "phi", of.PhiForCausalLM(of.PhiConfig(**sizes, **few)), "cpu"
    experts = {"moe_intermediate_size": 64, "num_experts": 4, "num_experts_per_tok": 2, "num_dense_layers": 1}
    experts["layer_types"] = ["conv", "full_attention"]
    yield "experts", of.Lfm2MoeForCausalLM(of.Lfm2MoeConfig(**sizes, **heads, **experts)), "cpu"
    states = {"layer_types": ["linear_attention", "full_attention"], "head_dim": 64}
    states |= {f"linear_{what}": size for what, size in
               (("num_key_heads", 2), ("num_value_heads", 4), ("key_head_dim", 16), ("value_head_dim", 16))}
    turned = {"mrope_section": [3, 3, 2], "mrope_interleaved": True, "partial_rotary_factor": 0.25}
    turned |= {"rope_type": "default", "rope_theta": 10000.0}
    sight = {"depth": 1, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2, "out_hidden_size": 64}
    words = {**sizes, **heads, **states, "rope_parameters": turned}
    qwen = of.Qwen3_5Config(text_config=words, vision_config={**sight, "patch_size": 4})
    yield "qwen", of.Qwen3_5ForConditionalGeneration(qwen), "cpu"
    ends = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1}
    # What has as many outputs as there are words, the builder takes for the last layer.
    sides = {f"{side}_{what}": count for side in ("encoder", "decoder")
             for what, count in (("layers", 2), ("attention_heads", 4), ("ffn_dim", 96))}
    most = {"max_source_positions": 1500, "max_target_positions": 64, "num_mel_bins": 16}
    whisper = of.WhisperConfig(**ends, **sides, **most, d_model=64, vocab_size=128)
    yield "whisper", of.WhisperForConditionalGeneration(whisper), "cpu"


def decoder(name, model, machine, folder):
    """A decoder in 4 bits, as onnxruntime-genai builds it."""
    import torch
    import transformers
    from onnxruntime_genai.models import builder
    from tokenizers import Tokenizer, models

    # A bias of zeros is left out, and onnxruntime 1.31.1 crashes on Attention without one.
    for parameter, values in model.named_parameters():
        if parameter.endswith("bias"):
            torch.nn.init.normal_(values)
    config = model.config.get_text_config()
    head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    with tempfile.TemporaryDirectory() as scratch:
        model.save_pretrained(scratch)
        words = {"<unk>": 0, "<s>": 1, "</s>": 2, **{f"w{at}": at for at in range(3, 128)}}
        tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
        fast = transformers.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer, unk_token="<unk>", bos_token="<s>", eos_token="</s>"
        )
        fast.save_pretrained(scratch)
        if name == "whisper":
            transformers.WhisperFeatureExtractor(feature_size=model.config.num_mel_bins).save_pretrained(scratch)
        made = Path(scratch) / "made"
        asked = (None, scratch, str(made), "int4", machine, str(Path(scratch) / "cache"))
        options = ["shared_embeddings=true"] if name == "llama_tied" else []
        builder.create_model(*asked, **builder.parse_extra_options(*asked, options))
        for path in made.glob("*.onnx"):
            part = "" if path.stem == "model" else f"_{path.stem}"
            built = onnx.load(path)
            for info in (*built.graph.input, *built.graph.output):
                for dim in info.type.tensor_type.shape.dim:
                    if dim.dim_param == "kv_cache_dim":
                        # The size of a head; with no other it runs.
                        dim.dim_value = head
            onnx.save(built, folder / f"{name}{part}_4_bits.onnx")


def tried(write, *arguments):
    try:
        return write(*arguments)
    except Exception as error:  # noqa: BLE001: a tool may fail in any way
        print(f"{write.__name__} {arguments[0]}: {type(error).__name__}: {str(error).splitlines()[0][:150]}")
        return None


if __name__ == "__main__":
    exported, target = map(Path, sys.argv[1:])
    target.mkdir(parents=True, exist_ok=True)
    sources = [(exported / f"{each}_script.onnx", each, False) for each in KINDS]
    if old := tried(encoder, target):
        sources += [(old, "bert", apart) for apart in (False, True)]
        tried(bytes_at_run, old, target)
        tried(session, target / "encoder_dynamic.onnx", target, "extended")
    if old := tried(generator, target):
        sources.append((old, "gpt2", False))
    for source, kind, apart in sources:
        optimized = tried(fused, source, target, kind, apart)
        if optimized:
            tried(few_bits, optimized, target)
            tried(bytes_at_run, optimized, target)
    tried(session, target / "encoder_heads_fused_dynamic.onnx", target, "extended")
    convolutions, others, recurrent = (tried(write, target) for write in (resnet, gated, lstm))
    for form in (QuantFormat.QDQ, QuantFormat.QOperator):
        tried(static, convolutions, target, form)
    # The quantizer writes no valid Where in the other form.
    tried(static, others, target, QuantFormat.QDQ)
    tried(session, target / "gated_qdq.onnx", target, "extended")
    tried(bytes_at_run, recurrent, target)
    for level in ("extended", "all"):
        tried(session, convolutions, target, level)
        tried(session, target / "resnet_qdq.onnx", target, level)
        tried(session, exported / "bert_script.onnx", target, level)
        tried(session, exported / "gpt2_script.onnx", target, level)
    for one in decoders():
        tried(decoder, *one, target)
