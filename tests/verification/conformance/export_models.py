"""Writes models of random weights, as exporters write them, for `convert_corpus.py --corpus FOLDER`.

`export_models.py torch FOLDER` needs PyTorch (1.13, such as Debian's python3-torch, has opsets 7 to 17), `dynamo` a
newer one and onnxscript, `transformers` the same with transformers and timm beside them; `sklearn` needs skl2onnx and
scikit-learn, `lightgbm` onnxmltools and lightgbm, and `onnxscript` the package of this name. `quantized` and `optimized`
write what onnxruntime makes of the models that are in the folder before. None of these is part of the environment of the conformance steps. What an exporter cannot write at an
opset is left out.
"""

import sys
from pathlib import Path


def torch_models():
    """Name, module, its arguments, and the names of their open axes."""
    import torch
    from torch import nn

    functional = nn.functional

    class Block(nn.Module):
        def __init__(self, before, after, stride):
            super().__init__()
            self.first = nn.Conv2d(before, after, 3, stride, 1, bias=False)
            self.second = nn.Conv2d(after, after, 3, 1, 1, bias=False)
            self.norms = nn.ModuleList([nn.BatchNorm2d(after), nn.BatchNorm2d(after)])
            self.past = nn.Identity()
            if before != after:
                self.past = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

        def forward(self, x):
            inner = torch.relu(self.norms[0](self.first(x)))
            return torch.relu(self.norms[1](self.second(inner)) + self.past(x))

    class ResNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = nn.Sequential(nn.Conv2d(3, 8, 7, 2, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
            self.body = nn.Sequential(Block(8, 8, 1), Block(8, 16, 2), Block(16, 16, 1))
            self.pool = nn.AdaptiveAvgPool2d(1)
            self.head = nn.Linear(16, 10)

        def forward(self, x):
            return torch.softmax(self.head(torch.flatten(self.pool(self.body(self.stem(x))), 1)), -1)

    class Mobile(nn.Module):
        def __init__(self):
            super().__init__()
            wide = nn.Conv2d(8, 8, 3, 1, 1, groups=8)
            self.body = nn.Sequential(
                nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU6(), wide, nn.Hardswish(), nn.Conv2d(8, 16, 1)
            )
            self.tail = nn.Sequential(nn.Hardsigmoid(), nn.Dropout(0.2))
            self.head = nn.Linear(16, 5)

        def forward(self, x):
            return self.head(self.tail(self.body(x)).mean([2, 3]))

    class Bert(nn.Module):
        def __init__(self):
            super().__init__()
            self.token, self.place = nn.Embedding(50, 16), nn.Embedding(32, 16)
            self.query, self.key, self.value, self.out, self.pool = (nn.Linear(16, 16) for _ in range(5))
            self.wide, self.narrow = nn.Linear(16, 32), nn.Linear(32, 16)
            self.norms = nn.ModuleList([nn.LayerNorm(16) for _ in range(3)])

        def forward(self, ids, mask):
            batch, length = ids.shape
            x = self.norms[0](self.token(ids) + self.place(torch.arange(length).unsqueeze(0)))
            query, key, value = (
                each(x).view(batch, length, 4, 4).transpose(1, 2) for each in (self.query, self.key, self.value)
            )
            score = query @ key.transpose(-1, -2) / 2.0 + (1.0 - mask[:, None, None, :].to(torch.float32)) * -10000.0
            y = (torch.softmax(score, -1) @ value).transpose(1, 2).reshape(batch, length, 16)
            x = self.norms[1](x + self.out(y))
            x = self.norms[2](x + self.narrow(functional.gelu(self.wide(x))))
            return x, torch.tanh(self.pool(x[:, 0]))

    class Gpt(nn.Module):
        def __init__(self):
            super().__init__()
            self.token, self.heads, self.out = nn.Embedding(50, 16), nn.Linear(16, 48), nn.Linear(16, 50)

        def forward(self, ids):
            x = self.token(ids)
            query, key, value = self.heads(x).split(16, dim=2)
            score = query @ key.transpose(1, 2) / 4.0
            later = torch.triu(torch.ones(x.shape[1], x.shape[1]), 1) == 1
            y = self.out(torch.softmax(score.masked_fill(later, -1e9), -1) @ value)
            return y, *torch.topk(torch.log_softmax(y[:, -1], -1), 5)

    class Recurrent(nn.Module):
        def __init__(self, kind, **options):
            super().__init__()
            self.inner = kind(8, 6, 2, bidirectional=True, batch_first=True, **options)

        def forward(self, x):
            return self.inner(x)[0]

    class UNet(nn.Module):
        def __init__(self, mode, corners=None):
            super().__init__()
            self.mode, self.corners = mode, corners
            self.down, self.deeper = nn.Conv2d(3, 8, 3, 1, 1), nn.Conv2d(8, 8, 3, 2, 1)
            self.out = nn.Conv2d(16, 4, 3, 1, 1)
            self.norm, self.back = nn.InstanceNorm2d(8), nn.ConvTranspose2d(8, 8, 2, 2)

        def forward(self, x):
            wide = torch.relu(self.norm(self.down(x)))
            deep = functional.leaky_relu(self.deeper(wide))
            up = functional.interpolate(deep, scale_factor=2, mode=self.mode, align_corners=self.corners)
            return torch.sigmoid(self.out(torch.cat([wide, up + self.back(deep)], 1)))

    class Reductions(nn.Module):
        def forward(self, x):
            left, right = torch.split(x, [1, 3], dim=1)
            padded = functional.pad(x, (1, 2), "constant", 0.5)
            y = torch.clamp(x, -0.5, 0.5).unsqueeze(0).squeeze(0)
            sums = left.sum(1), right.prod(-1, keepdim=True), y.norm(dim=1), x.mean(), torch.logsumexp(x, 1)
            return *sums, x.max(1)[0], padded[:, 1:3], x.cumsum(1), torch.chunk(x, 2, 1)[1]

    class Selections(nn.Module):
        def forward(self, x, at):
            taken = torch.gather(x, 1, at)
            other = torch.where(x > 0, x, -x)
            curves = functional.elu(x) + functional.selu(x) + functional.softplus(x)
            moved = torch.zeros_like(x).scatter(1, at, taken), torch.flip(x, [1]), x.repeat(2, 1), x[:1].expand(3, -1)
            tests = torch.nonzero(x > 0), (x > 0) & (x < 1), torch.argmax(x, 1)
            others = torch.stack([x, other]), torch.floor(x), torch.einsum("ij,kj->ik", x, x)
            return taken, curves, *moved, *tests, *others

    class Looped(nn.Module):
        def forward(self, x, times: int):
            for _ in range(times):
                if bool(x.sum() > 10.0):
                    x = x * 0.5
                else:
                    x = x + 1.0
            return x

    class Pools(nn.Module):
        def __init__(self, grid):
            super().__init__()
            self.grid = grid

        def forward(self, x):
            pools = functional.avg_pool2d(x, 3, 2, 1), functional.avg_pool2d(x, 2, ceil_mode=True)
            most = functional.max_pool2d(x, 3, 2, 1, ceil_mode=True), functional.adaptive_max_pool2d(x, 1)
            others = functional.pixel_shuffle(x, 2), functional.lp_pool2d(x, 2, 2)
            last = functional.grid_sample(x, torch.zeros(1, 4, 4, 2), align_corners=False) if self.grid else x
            return *pools, *most, *others, last

    class Norms(nn.Module):
        def __init__(self):
            super().__init__()
            self.norms = nn.ModuleList([nn.GroupNorm(2, 4), nn.BatchNorm1d(4), nn.PReLU(4)])

        def forward(self, x):
            return tuple(norm(x) for norm in self.norms)

    torch.manual_seed(0)
    image, series, matrix = torch.randn(1, 3, 32, 32), torch.randn(2, 5, 8), torch.randn(3, 4)
    words = torch.randint(0, 50, (2, 7))
    batch, sequence, rows = {0: "batch"}, {0: "batch", 1: "length"}, {0: "rows"}
    yield "resnet", ResNet(), (image,), batch
    yield "mobile", Mobile(), (image,), batch
    yield "bert", Bert(), (words, torch.ones(2, 7, dtype=torch.int64)), sequence
    yield "gpt", Gpt(), (words,), sequence
    yield "lstm", Recurrent(nn.LSTM), (series,), sequence
    yield "gru", Recurrent(nn.GRU), (series,), sequence
    yield "rnn", Recurrent(nn.RNN, nonlinearity="relu"), (series,), batch
    yield "unet_nearest", UNet("nearest"), (image,), batch
    yield "unet_linear", UNet("bilinear", False), (image,), batch
    yield "unet_corners", UNet("bilinear", True), (image,), {0: "batch", 2: "height", 3: "width"}
    yield "unet_cubic", UNet("bicubic", False), (image,), batch
    yield "reductions", Reductions(), (matrix,), rows
    yield "selections", Selections(), (matrix, torch.randint(0, 4, (3, 2))), rows
    yield "loop", torch.jit.script(Looped()), (matrix, torch.tensor(4)), {}
    yield "pools", Pools(False), (torch.randn(1, 4, 9, 9),), {}
    yield "grid", Pools(True), (torch.randn(1, 4, 9, 9),), {}
    yield "norms", Norms(), (torch.randn(2, 4, 5),), rows


def write(path, *arguments, **options):
    """Has PyTorch export a model; says why it cannot, and leaves no file then."""
    import torch

    try:
        torch.onnx.export(*arguments, str(path), **options)
    except Exception as error:
        path.unlink(missing_ok=True)
        print(f"{path.name}: {type(error).__name__}: {str(error).splitlines()[0][:100]}")


def export_torch(folder):
    for name, module, arguments, axes in torch_models():
        module.eval()
        names = [f"x{at}" for at in range(len(arguments))]
        for opset in range(7, 18):
            for dynamic in (False, True)[: 1 + bool(axes)]:
                path = folder / f"{name}_{opset}{'_dynamic' if dynamic else ''}.onnx"
                dynamic_axes = dict.fromkeys(names, axes) if dynamic else None
                write(path, module, arguments, opset_version=opset, input_names=names, dynamic_axes=dynamic_axes)


def export_dynamo(folder):
    for name, module, arguments, axes in torch_models():
        write_dynamo(folder, name, module.eval(), arguments, dict.fromkeys(range(len(arguments)), axes), {})


def write_dynamo(folder, name, module, arguments, axes, keywords):
    """Writes a module by the exporter that traces with symbols, at three opsets and as it is and with open axes."""
    import torch

    auto = torch.export.Dim.DYNAMIC
    open_axes = [dict.fromkeys(axes.get(at, {}), auto) for at in range(len(arguments))]
    open_axes = tuple(open_axes) if arguments else {each: dict.fromkeys(axes.get(each, {}), auto) for each in keywords}
    for opset in (18, 20, 23):
        for dynamic in (False, True):
            path = folder / f"{name}_{opset}{'_dynamic' if dynamic else ''}.onnx"
            options = {"dynamo": True, "external_data": False, "dynamic_shapes": open_axes if dynamic else None}
            write(path, module, arguments, kwargs=keywords, opset_version=opset, **options)


def transformers_models(attention):
    """Name, model, its arguments by name, and the open axes of each. `attention` is an implementation of transformers."""
    import timm
    import torch
    import transformers

    def made(config, of=transformers.AutoModel):
        return of.from_config(config, attn_implementation=attention)

    torch.manual_seed(0)
    ids, mask = torch.randint(3, 90, (2, 8)), torch.ones(2, 8, dtype=torch.int64)
    words, axes = {"input_ids": ids, "attention_mask": mask}, {0: "batch", 1: "length"}
    small = {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    wide = {**small, "intermediate_size": 64}
    few = {"num_key_value_heads": 2}
    encoders = {
        "bert": transformers.BertConfig(**wide),
        "roberta": transformers.RobertaConfig(**wide),
        "electra": transformers.ElectraConfig(**wide, embedding_size=16),
        "albert": transformers.AlbertConfig(**wide, embedding_size=16),
        "mpnet": transformers.MPNetConfig(**wide),
        "distilbert": transformers.DistilBertConfig(vocab_size=99, dim=32, n_layers=2, n_heads=4, hidden_dim=64),
        "deberta": transformers.DebertaV2Config(**wide),
        "modernbert": transformers.ModernBertConfig(**wide, pad_token_id=0),
        "gpt2": transformers.GPT2Config(vocab_size=99, n_embd=32, n_layer=2, n_head=4, use_cache=False),
        "llama": transformers.LlamaConfig(**wide, **few, use_cache=False),
        "mistral": transformers.MistralConfig(**wide, **few, use_cache=False),
        "qwen": transformers.Qwen2Config(**wide, **few, use_cache=False),
        "gemma": transformers.GemmaConfig(**wide, **few, head_dim=8, use_cache=False, pad_token_id=0),
        "phi": transformers.PhiConfig(**wide, use_cache=False),
        "opt": transformers.OPTConfig(**small, ffn_dim=64, use_cache=False, word_embed_proj_dim=32),
        "bloom": transformers.BloomConfig(vocab_size=99, hidden_size=32, n_layer=2, n_head=4, use_cache=False),
    }
    for name, config in encoders.items():
        yield name, made(config), words, axes
    seq = transformers.T5Config(vocab_size=99, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, use_cache=False)
    yield "t5", made(seq), {**words, "decoder_input_ids": ids}, axes
    image = {"pixel_values": torch.randn(1, 3, 32, 32)}
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
    vit = transformers.ViTConfig(**sizes, image_size=32, patch_size=8)
    yield "vit", made(vit), image, {0: "batch"}
    widths = {"hidden_sizes": [8, 16, 24, 32], "decoder_hidden_size": 16, "depths": [1, 1, 1, 1]}
    segformer = transformers.SegformerConfig(**widths, num_attention_heads=[1, 2, 2, 4])
    images = {0: "batch", 2: "height", 3: "width"}
    large = {"pixel_values": torch.randn(1, 3, 64, 64)}
    segmentation = made(segformer, transformers.AutoModelForSemanticSegmentation)
    yield "segformer", segmentation, large, images
    for name in ("resnet18", "mobilenetv3_small_050", "efficientnet_b0", "convnext_atto", "mixer_s32_224", "regnetx_002"):
        yield name, timm.create_model(name, pretrained=False), {"x": torch.randn(1, 3, 224, 224)}, {0: "batch"}


def export_transformers(folder):
    for name, model, arguments, axes in transformers_models("sdpa"):
        write_dynamo(folder, name, model.eval(), (), dict.fromkeys(arguments, axes), arguments)
    # The exporter that records a run has no attention operator at the older opsets.
    for name, model, arguments, axes in transformers_models("eager"):
        write_traced(folder, f"{name}_traced", model.eval(), arguments, axes)


def write_traced(folder, name, model, arguments, axes):
    import torch

    class ByPosition(torch.nn.Module):
        """The exporter passes no arguments by their names, and takes no outputs but tuples."""

        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, *given):
            outputs = self.model(**dict(zip(arguments, given, strict=True)))
            return outputs.to_tuple() if hasattr(outputs, "to_tuple") else outputs

    for opset in (11, 13, 14, 17):
        path = folder / f"{name}_{opset}.onnx"
        options = {"input_names": list(arguments), "dynamic_axes": dict.fromkeys(arguments, axes)}
        write(path, ByPosition(), tuple(arguments.values()), opset_version=opset, dynamo=False, **options)


def sklearn_models():
    """Name and model, and the first row of its data."""
    import numpy
    from sklearn import cluster, decomposition, ensemble, linear_model, naive_bayes, neighbors, neural_network
    from sklearn import pipeline, preprocessing, svm, tree

    random = numpy.random.default_rng(0)
    rows = random.normal(size=(60, 4)).astype(numpy.float32)
    classes = (rows[:, 0] + rows[:, 1] > 0).astype(int) + (rows[:, 2] > 1)
    numbers = rows @ [1.0, 2.0, 3.0, 4.0]
    chain = pipeline.make_pipeline(preprocessing.StandardScaler(), decomposition.PCA(2), linear_model.Ridge())
    squares = preprocessing.MinMaxScaler(), preprocessing.PolynomialFeatures(2)
    powers = pipeline.make_pipeline(*squares, linear_model.Lasso())
    classifiers = {
        "forest": ensemble.RandomForestClassifier(5),
        "boosting": ensemble.GradientBoostingClassifier(n_estimators=5),
        "logistic": linear_model.LogisticRegression(),
        "neighbors": neighbors.KNeighborsClassifier(3),
        "network": neural_network.MLPClassifier((8,), max_iter=50),
        "bayes": naive_bayes.GaussianNB(),
        "tree": tree.DecisionTreeClassifier(),
        "ada": ensemble.AdaBoostClassifier(n_estimators=3),
    }
    regressors = {
        "forest_numbers": ensemble.RandomForestRegressor(5),
        "histogram": ensemble.HistGradientBoostingRegressor(max_iter=5),
        "linear": linear_model.LinearRegression(),
        "vectors": svm.SVR(),
        "chain": chain,
        "powers": powers,
    }
    others = {
        "means": cluster.KMeans(3),
        "isolation": ensemble.IsolationForest(n_estimators=5),
        "normalizer": preprocessing.Normalizer(),
        "binarizer": preprocessing.Binarizer(),
        "bins": preprocessing.KBinsDiscretizer(3, encode="ordinal"),
        "power": preprocessing.PowerTransformer(),
    }
    for models, wanted in ((classifiers, classes), (regressors, numbers), (others, None)):
        for name, model in models.items():
            yield name, model.fit(rows, wanted), rows[:1]


def export_sklearn(folder):
    from skl2onnx import to_onnx

    for name, model, row in sklearn_models():
        options = [{"zipmap": False}, {"zipmap": True}] if hasattr(model, "predict_proba") else [None]
        for opset, learning in ((9, 1), (11, 1), (12, 2), (13, 2), (15, 3), (18, 3), (21, 3)):
            for at, each in enumerate(options):
                path = folder / f"{name}_{opset}_{at}.onnx"
                try:
                    made = to_onnx(model, row, target_opset={"": opset, "ai.onnx.ml": learning}, options=each)
                except Exception as error:
                    print(f"{path.name}: {type(error).__name__}: {str(error).splitlines()[0][:100]}")
                else:
                    path.write_bytes(made.SerializeToString())


def export_lightgbm(folder):
    import lightgbm
    import numpy
    from onnxmltools import convert_lightgbm
    from onnxmltools.convert.common.data_types import FloatTensorType

    random = numpy.random.default_rng(0)
    rows = random.normal(size=(80, 4)).astype(numpy.float32)
    kept = {"n_estimators": 4, "min_child_samples": 2, "verbose": -1}
    numbers, pair = rows @ [1.0, 2.0, 3.0, 4.0], (rows[:, 0] > 0).astype(int)
    trained = {
        "two_classes": lightgbm.LGBMClassifier(**kept).fit(rows, pair),
        "three_classes": lightgbm.LGBMClassifier(**kept).fit(rows, pair + (rows[:, 2] > 1)),
        "numbers": lightgbm.LGBMRegressor(**kept).fit(rows, numbers),
        "counts": lightgbm.LGBMRegressor(objective="poisson", **kept).fit(rows, numpy.abs(numbers)),
        "forest": lightgbm.LGBMRegressor(boosting_type="rf", bagging_freq=1, bagging_fraction=0.5, **kept).fit(rows, numbers),
    }
    for name, model in trained.items():
        for opset in (9, 13, 15):
            for zipmap in (False, True)[: 1 + hasattr(model, "predict_proba")]:
                inputs = [("x", FloatTensorType(["rows", 4]))]
                made = convert_lightgbm(model, initial_types=inputs, target_opset=opset, zipmap=zipmap)
                (folder / f"lightgbm_{name}_{opset}_{int(zipmap)}.onnx").write_bytes(made.SerializeToString())


def export_onnxscript(folder):
    import onnxscript_models

    for made in onnxscript_models.MODELS:
        (folder / f"onnxscript_{made.name}.onnx").write_bytes(made.to_model_proto().SerializeToString())


def each_before(folder):
    """The models of a folder that neither quantizer nor optimizer wrote."""
    made = ("_dynamic8.onnx", "_qdq.onnx", "_qoperator.onnx", "_optimized.onnx")
    return [path for path in sorted(folder.glob("*.onnx")) if not path.name.endswith(made)]


def export_quantized(folder):
    import numpy
    import onnx
    from onnxruntime import quantization

    class Rows(quantization.CalibrationDataReader):
        """Two rows of random numbers, each open size 8."""

        def __init__(self, model):
            random = numpy.random.default_rng(0)
            sizes = {info.name: [dim.dim_value or 8 for dim in info.type.tensor_type.shape.dim] for info in model.graph.input}
            self.rows = iter([{name: random.normal(size=size).astype(numpy.float32) for name, size in sizes.items()}] * 2)

        def get_next(self):
            return next(self.rows, None)

    for path in each_before(folder):
        model = onnx.load(path)
        if any(info.type.tensor_type.elem_type not in (1, 7) for info in model.graph.input):
            continue
        ways = {"dynamic8": lambda out: quantization.quantize_dynamic(path, out)}
        if all(info.type.tensor_type.elem_type == 1 for info in model.graph.input):
            forms = quantization.QuantFormat
            for name, form in (("qdq", forms.QDQ), ("qoperator", forms.QOperator)):
                ways[name] = lambda out, form=form: quantization.quantize_static(path, out, Rows(model), quant_format=form)
        for name, write_to in ways.items():
            out = path.with_name(f"{path.stem}_{name}.onnx")
            try:
                write_to(out)
            except Exception as error:
                out.unlink(missing_ok=True)
                print(f"{out.name}: {type(error).__name__}: {str(error).splitlines()[0][:100]}")


def export_optimized(folder):
    """What onnxruntime writes for any provider; its own operators come only beyond that."""
    import onnxruntime

    for path in each_before(folder):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = str(path.with_name(f"{path.stem}_optimized.onnx"))
        options.log_severity_level = 4
        try:
            onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            print(f"{path.name}: {type(error).__name__}: {str(error).splitlines()[0][:100]}")


if __name__ == "__main__":
    exporter, target = sys.argv[1], Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    of_packages = (export_torch, export_dynamo, export_transformers, export_sklearn, export_lightgbm, export_onnxscript)
    exporters = (*of_packages, export_quantized, export_optimized)
    {each.__name__.removeprefix("export_"): each for each in exporters}[exporter](target)
