"""Exports the models of `corpus`: `export_corpus.py FOLDER`, then `strip_models.py FOLDER corpus`.

It needs PyTorch, transformers and onnxscript. Each model has a small configuration, random weights and open axes, and is
written by both exporters of PyTorch: the one that records a run (`_script`), and the one that traces with symbols
(`_dynamo`). What one of them cannot write is told and left out.
"""

import sys
from pathlib import Path

import torch
import transformers
from torch import nn

SIZES = {"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 32, "intermediate_size": 64}
WORDS = {0: "batch", 1: "seq"}
IMAGE = {0: "batch", 2: "h", 3: "w"}


class Call(nn.Module):
    """A model with its arguments by position, which gives some of its outputs."""

    def __init__(self, model, names, count):
        super().__init__()
        self.model, self.names, self.count = model, names, count

    def forward(self, *given):
        outputs = self.model(**dict(zip(self.names, given)), return_dict=False)
        return outputs[: self.count]


def models():
    """Name, model, how many of its outputs, and its inputs: name, example and open axes."""
    ids, mask = torch.randint(0, 99, (2, 7)), torch.ones(2, 7, dtype=torch.long)
    words = [("input_ids", ids, WORDS), ("attention_mask", mask, WORDS)]
    bert = transformers.BertConfig(**SIZES, vocab_size=100, max_position_embeddings=64)
    yield "bert", transformers.BertModel(bert), 2, words
    small = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}
    gpt2 = transformers.GPT2Config(**small, vocab_size=100, use_cache=False)
    yield "gpt2", transformers.GPT2Model(gpt2), 1, words
    t5 = transformers.T5Config(d_model=32, d_ff=64, d_kv=8, num_layers=2, num_heads=4, vocab_size=100)
    yield "t5", transformers.T5EncoderModel(t5), 1, words
    ends = {"eos_token_id": 99, "bos_token_id": 98}
    clip = transformers.CLIPTextConfig(**SIZES, **ends, vocab_size=100, max_position_embeddings=32)
    yield "clip", transformers.CLIPTextModel(clip), 2, words[:1]
    vit = transformers.ViTConfig(**SIZES, image_size=32, patch_size=8)
    yield "vit", transformers.ViTModel(vit), 1, [("pixel_values", torch.randn(2, 3, 32, 32), {0: "batch"})]
    picture = [("pixel_values", torch.randn(2, 3, 64, 96), IMAGE)]
    widths = {"hidden_sizes": [8, 16, 24, 32], "decoder_hidden_size": 16, "depths": [1] * 4}
    segformer = transformers.SegformerConfig(**widths, num_attention_heads=[1, 2, 3, 4], num_labels=5)
    yield "segformer", transformers.SegformerForSemanticSegmentation(segformer), 1, picture
    stages = {"embedding_size": 8, "hidden_sizes": [8, 8, 16, 16], "depths": [1] * 4, "out_features": ["stage4"]}
    sides = {f"{side}_{what}": count for side in ("encoder", "decoder")
             for what, count in (("layers", 1), ("attention_heads", 4), ("ffn_dim", 64))}
    backbone = {"use_timm_backbone": False, "use_pretrained_backbone": False, "backbone": None,
                "backbone_config": transformers.ResNetConfig(**stages)}
    detr = transformers.DetrConfig(**backbone, **sides, d_model=32, num_queries=5, num_labels=3)
    yield "detr", transformers.DetrForObjectDetection(detr), 2, picture
    layers = {"conv_dim": (16,) * 3, "conv_stride": (5, 2, 2), "conv_kernel": (10, 3, 3), "num_feat_extract_layers": 3}
    places = {"num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 4}
    wav2vec = transformers.Wav2Vec2Config(**SIZES, **layers, **places)
    sound = ("input_values", torch.randn(2, 1600), {0: "batch", 1: "t"})
    yield "wav2vec", transformers.Wav2Vec2Model(wav2vec), 1, [sound]


def export(folder, name, module, inputs, dynamo):
    names, arguments = [each for each, _, _ in inputs], tuple(example for _, example, _ in inputs)
    path = folder / f"{name}_{'dynamo' if dynamo else 'script'}.onnx"
    if dynamo:
        open_axes = tuple(dict.fromkeys(axes, torch.export.Dim.DYNAMIC) for _, _, axes in inputs)
        options = {"dynamo": True, "external_data": False, "dynamic_shapes": (open_axes,)}
    else:
        axes = {each: axes for each, _, axes in inputs}
        options = {"dynamo": False, "dynamic_axes": axes, "opset_version": 17}
    try:
        torch.onnx.export(module, arguments, path, input_names=names, **options)
    except Exception as error:  # noqa: BLE001: an exporter may fail in any way
        print(f"{path.name}: {type(error).__name__}: {str(error).splitlines()[0][:100]}")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    for name, model, count, inputs in models():
        module = Call(model, [each for each, _, _ in inputs], count).eval()
        for dynamo in (False, True):
            export(target, name, module, inputs, dynamo)
