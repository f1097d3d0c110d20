"""A model server that reads pictures: your own model behind mrmr, in one file of Python.

    python reader.py MODEL_FOLDER [PORT]

It speaks vLLM's interface, as mrmr's convention `vllm` asks:

    POST /v1/embeddings         {"model", "input": [text, ..]} or {"model", "messages": [{"content": [parts]}]}
    POST /v1/chat/completions   {"model", "messages": [{"content": [parts with one picture]}]}

A picture becomes the words that Tesseract reads in it; words become a vector by a sentence-transformers model in ONNX (such as
all-MiniLM-L6-v2), mean pooled, of length 1. A picture and a text in one message are the words of the picture, then the text. So
it is a joint encoder of texts and pictures *of text*, which is what pages and many figures are, and it sees nothing else. The
caption of a picture is the words in it.

Needs: onnxruntime, tokenizers, numpy (PyPI), and the program `tesseract` (Debian: tesseract-ocr).
"""

import base64
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy
import onnxruntime
from tokenizers import Tokenizer

TOKENS = 256


class Encoder:
    """Texts to vectors, one at a time: no vector depends on its neighbours."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(folder / "onnx" / "model.onnx", options)
        self.takes = {given.name for given in self.session.get_inputs()}
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(TOKENS)
        self.tokenizer.no_padding()

    def vector(self, text):
        tokens = self.tokenizer.encode(text)
        given = {"input_ids": tokens.ids, "attention_mask": tokens.attention_mask, "token_type_ids": tokens.type_ids}
        given = {name: numpy.array([row], dtype=numpy.int64) for name, row in given.items() if name in self.takes}
        vector = self.session.run(None, given)[0][0].mean(axis=0)
        return (vector / numpy.linalg.norm(vector)).astype("<f4"), len(tokens.ids)


class Reader:
    """Pictures to the words in them, each picture once."""

    def __init__(self):
        if shutil.which("tesseract") is None:
            sys.exit("there is no program tesseract here; Debian has it as tesseract-ocr")
        self.known = {}

    def words(self, picture):
        key = hashlib.sha256(picture).digest()
        # Two requests at once may both read a picture: they find the same words.
        if key not in self.known:
            self.known[key] = self.read(picture)
        return self.known[key]

    def read(self, picture):
        command = ["tesseract", "stdin", "stdout", "--psm", "3"]
        one_thread = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        done = subprocess.run(command, input=picture, capture_output=True, env=one_thread)
        if done.returncode != 0:
            raise ValueError("tesseract: " + done.stderr.decode(errors="replace").strip()[-200:])
        return " ".join(done.stdout.decode().split())


def text_of(parts, reader):
    """The words of a message, pictures read, in order."""
    words = []
    for part in [{"type": "text", "text": parts}] if isinstance(parts, str) else parts:
        if part["type"] == "text":
            words.append(part["text"])
        else:
            head, _, data = part["image_url"]["url"].partition(",")
            if not head.endswith(";base64"):
                raise ValueError("expected a picture as a data URL with base64")
            words.append(reader.words(base64.b64decode(data)))
    return "\n".join(word for word in words if word)


def serve(folder, port):
    encoder, reader = Encoder(folder), Reader()

    def embeddings(asked):
        if "messages" in asked:
            texts = [text_of(asked["messages"][-1]["content"], reader)]
        else:
            texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        data, tokens = [], 0
        for index, text in enumerate(texts):
            vector, count = encoder.vector(text)
            tokens += count
            as_base64 = asked.get("encoding_format") == "base64"
            sent = base64.b64encode(vector.tobytes()).decode() if as_base64 else vector.tolist()
            data.append({"object": "embedding", "index": index, "embedding": sent})
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return {"object": "list", "data": data, "model": asked.get("model"), "usage": usage}

    def completions(asked):
        pictures = [part for part in asked["messages"][-1]["content"] if part["type"] == "image_url"]
        words = text_of(pictures, reader) or "a picture without words"
        choice = {"index": 0, "message": {"role": "assistant", "content": words}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        return {"object": "chat.completion", "model": asked.get("model"), "choices": [choice], "usage": usage}

    paths = {"/v1/embeddings": embeddings, "/v1/chat/completions": completions}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            asked = self.rfile.read(int(self.headers["content-length"]))
            try:
                status, answer = 200, paths[self.path](json.loads(asked))
            except KeyError as error:
                status, answer = 404, {"error": {"message": f"unknown path or field {error}", "code": 404}}
            except (AttributeError, TypeError, ValueError) as error:
                status, answer = 400, {"error": {"message": str(error), "code": 400}}
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    serve(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 0)
