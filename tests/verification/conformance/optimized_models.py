"""Writes what onnxruntime's tools make of exported transformers, and a 4-bit decoder, for `infer_corpus.py --corpus FOLDER`.

`optimized_models.py FROM TO` reads `bert_script.onnx`, `gpt2_script.onnx`, `vit_script.onnx` and `clip_script.onnx`, as
`export_corpus.py` writes them, and needs PyTorch, transformers and onnxruntime-genai, whose builder writes decoders with
GroupQueryAttention and MatMulNBits. Weights are random. What a tool cannot write is told and left out.
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
from onnxruntime.transformers.optimizer import optimize_model

# The kinds of models that the optimizer knows; 4 heads of 8 features each.
KINDS = ("bert", "gpt2", "vit", "clip")


def fused(source, folder, kind):
    """A transformer with the attention, the normalizations and the activations in one node each."""
    model = optimize_model(str(source), kind, num_heads=4, hidden_size=32, opt_level=0)
    path = folder / f"{kind}_fused.onnx"
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
    quantize_static(prepared, target, Drawn([1, 3, 32, 32]), quant_format=form, activation_type=QuantType.QUInt8)
    prepared.unlink()


def decoder(folder):
    """A decoder in 4 bits, as onnxruntime-genai builds it."""
    import torch
    import transformers
    from onnxruntime_genai.models import builder

    sizes = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "vocab_size": 128}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 2048}
    with tempfile.TemporaryDirectory() as scratch:
        torch.manual_seed(0)
        transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes, **heads)).save_pretrained(scratch)
        words = {"<unk>": 0, "<s>": 1, "</s>": 2, **{f"w{at}": at for at in range(3, 128)}}
        from tokenizers import Tokenizer, models

        tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
        fast = transformers.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer, unk_token="<unk>", bos_token="<s>", eos_token="</s>"
        )
        fast.save_pretrained(scratch)
        made = Path(scratch) / "made"
        asked = (None, scratch, str(made), "int4", "cpu", str(Path(scratch) / "cache"))
        builder.create_model(*asked, **builder.parse_extra_options(*asked, []))
        model = onnx.load(made / "model.onnx")
        for info in (*model.graph.input, *model.graph.output):
            for dim in info.type.tensor_type.shape.dim:
                if dim.dim_param == "kv_cache_dim":
                    # The size of a head; with no other it runs.
                    dim.dim_value = 16
        onnx.save(model, folder / "llama_4_bits.onnx")


def tried(write, *arguments):
    try:
        return write(*arguments)
    except Exception as error:  # noqa: BLE001: a tool may fail in any way
        print(f"{write.__name__} {arguments[0]}: {type(error).__name__}: {str(error).splitlines()[0][:150]}")
        return None


if __name__ == "__main__":
    exported, target = map(Path, sys.argv[1:])
    target.mkdir(parents=True, exist_ok=True)
    for each in KINDS:
        optimized = tried(fused, exported / f"{each}_script.onnx", target, each)
        if optimized:
            tried(few_bits, optimized, target)
            tried(bytes_at_run, optimized, target)
    convolutions, recurrent = tried(resnet, target), tried(lstm, target)
    for form in (QuantFormat.QDQ, QuantFormat.QOperator):
        tried(static, convolutions, target, form)
    tried(bytes_at_run, recurrent, target)
    for level in ("extended", "all"):
        tried(session, convolutions, target, level)
        tried(session, target / "resnet_qdq.onnx", target, level)
        tried(session, exported / "bert_script.onnx", target, level)
        tried(session, exported / "gpt2_script.onnx", target, level)
    tried(decoder, target)
