"""Small random models with what onnxruntime makes of them: tests/fixtures/tiny-*.

    target/models/venv/bin/python crates/mrmr-models/tests/models/tiny.py

Their weights are drawn from a seed and mean nothing; what is tested is the way from a text to its numbers. The
environment is that of export.py. The references come from padded batches where ours are never padded.
"""

import json
import pathlib
import shutil

import numpy as np
import onnx
from safetensors.numpy import save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from bert import bert, random_weights
from reference import normal, run, sentence_vectors, session, tokenizer

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parent / "fixtures"
TEXTS = json.loads((HERE / "texts.json").read_text())
LONG = "the quick brown fox jumps over the lazy dog " * 20
WORDS = "a the red circle drawn twice why in of and not it is there theorem proof quick brown fox dog ##s ##ed ##ing ##er"
CONFIG = {
    "model_type": "bert",
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 48,
    "layer_norm_eps": 1e-12,
}


def word_pieces():
    """A BERT tokenizer with the letters of ASCII, a few others, and a few words."""
    letters = [chr(code) for code in range(33, 127) if not chr(code).isupper()] + list("äöüßé猫魚す。")
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused1]"]
    names = special + letters + ["##" + letter for letter in letters if letter.isalnum()] + WORDS.split()
    vocabulary = {name: place for place, name in enumerate(dict.fromkeys(names))}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=False)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.BertProcessing(("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"]))
    made.decoder = decoders.WordPiece()
    made.add_special_tokens([AddedToken(name, special=True) for name in special])
    # As files on the Hub have it: settings of a batch that was saved, to be ignored.
    made.enable_padding(length=40)
    made.enable_truncation(7)
    return made, len(vocabulary)


def folder(name, settings):
    target = FIXTURES / name
    shutil.rmtree(target, ignore_errors=True)
    (target / "onnx").mkdir(parents=True)
    made, size = word_pieces()
    made.save(str(target / "tokenizer.json"), pretty=False)
    config = {**CONFIG, "vocab_size": size}
    write(target / "config.json", {**config, **settings})
    return target, config


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    indent = None if path.name == "reference.json" else 1
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent) + "\n")


def numbers(rows):
    return [[float(f"{x:.7g}") for x in row] for row in np.asarray(rows)]


def modules(*kinds):
    steps = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")]
    return [
        {"idx": place, "name": str(place), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for place, (path, kind) in enumerate(steps)
        if kind in kinds
    ]


def tiny_bert():
    target, config = folder("tiny-bert", {"architectures": ["BertModel"]})
    onnx.save(bert(random_weights(config, 1), config), target / "onnx" / "model.onnx")
    write(target / "modules.json", modules("Transformer", "Pooling", "Normalize"))
    write(target / "1_Pooling" / "config.json", {"pooling_mode_mean_tokens": True})
    write(target / "sentence_bert_config.json", {"max_seq_length": 24, "do_lower_case": False})
    prompts = {"query": "why: ", "document": ""}
    write(target / "config_sentence_transformers.json", {"prompts": prompts, "default_prompt_name": None})
    texts = TEXTS + [LONG]
    reference = {"texts": texts}
    for pooling in ("mean", "cls", "max", "last"):
        reference[pooling] = numbers(sentence_vectors(target, texts, 24, pooling=pooling))
    asked = [prompts["query"] + text for text in texts]
    reference["query"] = numbers(sentence_vectors(target, asked, 24))
    reference["raw"] = numbers(sentence_vectors(target, texts, 24, normalize=False))
    write(target / "reference.json", reference)


def tiny_cross_encoder():
    target, config = folder(
        "tiny-cross-encoder", {"architectures": ["BertForSequenceClassification"], "id2label": {"0": "LABEL_0"}}
    )
    onnx.save(bert(random_weights(config, 2, classes=1), config, "classifier"), target / "onnx" / "model.onnx")
    write(target / "tokenizer_config.json", {"model_max_length": 40})
    query, documents = "Why is the circle red?", TEXTS + [LONG]
    batch = tokenizer(target, 40).encode_batch([(query, text.strip()) for text in documents])
    logits = run(
        session(target), [e.ids for e in batch], [e.attention_mask for e in batch], [e.type_ids for e in batch]
    )
    reference = {"query": query, "documents": documents, "logits": [row[0] for row in numbers(logits)]}
    write(target / "reference.json", reference)


def tiny_colbert():
    target, config = folder("tiny-colbert", {"architectures": ["BertModel"]})
    weights = random_weights(config, 3, projection=16)
    onnx.save(bert(weights, config, "projection"), target / "onnx" / "model.onnx")
    settings = {
        "query_prefix": "[unused0]",
        "document_prefix": "[unused1]",
        "query_length": 12,
        "document_length": 30,
        "attend_to_expansion_tokens": False,
        "do_query_expansion": True,
        "skiplist_words": list("!?.,;:()[]{}'"),
        "similarity_fn_name": "MaxSim",
    }
    write(target / "config_sentence_transformers.json", settings)
    network = session(target)

    def vectors(text, query):
        length = settings["query_length" if query else "document_length"]
        pieces = tokenizer(target, length - 1, padding=False)
        ids = pieces.encode(text.strip()).ids
        ids.insert(1, pieces.token_to_id(settings["query_prefix" if query else "document_prefix"]))
        mask = [1] * len(ids)
        if query:
            mask += [0] * (length - len(ids))
            ids += [pieces.token_to_id("[MASK]")] * (length - len(ids))
        made = normal(run(network, [ids], [mask], [[0] * len(ids)])[0])
        skipped = {pieces.token_to_id(word) for word in settings["skiplist_words"]}
        kept = [place for place, name in enumerate(ids) if query or name not in skipped]
        return numbers(made[kept])

    texts = [TEXTS[place] for place in (0, 1, 2, 7)] + [LONG]
    reference = {"texts": texts, "query": [vectors(t, True) for t in texts], "document": [vectors(t, False) for t in texts]}
    write(target / "reference.json", reference)


def tiny_static():
    target, config = folder("tiny-static", {})
    shutil.rmtree(target / "onnx")
    write(target / "config.json", {"model_type": "model2vec", "architectures": ["StaticModel"], "normalize": True})
    draw = np.random.default_rng(4)
    size, rows = config["vocab_size"], 60
    table = draw.normal(0, 1, (rows, 16)).astype(np.float16)
    weights = draw.uniform(0.2, 1, size).astype(np.float32)
    mapping = draw.integers(0, rows, size)
    save_file({"embeddings": table, "weights": weights, "mapping": mapping}, target / "model.safetensors")
    pieces = tokenizer(target, 512, padding=False)
    texts, made = TEXTS + [LONG * 20], []
    for text in texts:
        ids = [name for name in pieces.encode(text, add_special_tokens=False).ids if name != pieces.token_to_id("[UNK]")]
        vectors = table.astype(np.float32)[mapping[ids]] * weights[ids][:, None]
        made.append(vectors.mean(0) if ids else np.zeros(16, np.float32))
    write(target / "reference.json", {"texts": texts, "vectors": numbers(normal(np.array(made)))})


if __name__ == "__main__":
    for make in (tiny_bert, tiny_cross_encoder, tiny_colbert, tiny_static):
        make()
