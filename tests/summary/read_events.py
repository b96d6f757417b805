# SPDX-License-Identifier: MIT
"""read_events.py FOLDER: the same as decode_events.py, read by the package tensorboard."""
import io
import sys

from decode_events import show_calls, show_hyperparameters, show_node, show_pixels, show_reals

from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto import types_pb2
from tensorboard.plugins.hparams.metadata import SESSION_START_INFO_TAG, parse_session_start_info_plugin_data
from tensorboard.util import tensor_util


def number_or_text(value):
    return getattr(value, value.WhichOneof("kind"))


def attribute(value):
    if value.HasField("list"):
        return str([[d.size for d in s.dim] for s in value.list.shape])
    return value.s.decode() if value.HasField("s") else f"type {value.type}"


def lines(folder):
    kinds = ("scalars", "histograms", "images", "tensors")
    events = EventAccumulator(folder, size_guidance={kind: 0 for kind in kinds})
    events.Reload()
    tags = events.Tags()
    for tag in tags["scalars"]:
        yield from (f"scalar {e.step} {tag} {e.value:.9g}" for e in events.Scalars(tag))
    for tag in tags["histograms"]:
        for e in events.Histograms(tag):
            h = e.histogram_value
            five = [h.min, h.max, h.num, h.sum, h.sum_squares]
            yield f"histogram {e.step} {tag} {show_reals(five)} | {show_reals(h.bucket_limit)} | {show_reals(h.bucket)}"
    for tag in tags["images"]:
        for e in events.Images(tag):
            image = Image.open(io.BytesIO(e.encoded_image_string))
            assert image.size == (e.width, e.height)
            yield f"image {e.step} {tag} {show_pixels(e.height, e.width, len(image.getbands()), image.tobytes())}"
    for tag in tags["tensors"]:
        plugin = events.SummaryMetadata(tag).plugin_data
        if tag == SESSION_START_INFO_TAG:
            start = parse_session_start_info_plugin_data(plugin.content)
            pairs = [(name, number_or_text(value)) for name, value in start.hparams.items()]
            yield f"hyperparameters {tag} {show_hyperparameters(pairs)}"
        else:
            assert plugin.plugin_name == "text"
            for e in events.Tensors(tag):
                assert e.tensor_proto.dtype == types_pb2.DT_STRING
                yield f"text {e.step} {tag} {tensor_util.make_ndarray(e.tensor_proto).item().decode()!r}"
    if tags["graph"]:
        for n in events.Graph().node:
            attributes = [f"{name}={attribute(value)}" for name, value in n.attr.items()]
            yield show_node(n.name, n.op, n.input, n.device, attributes)
    for tag in tags["run_metadata"]:
        for device in events.RunMetadata(tag).step_stats.dev_stats:
            yield from show_calls(tag, [(device.device, n.node_name, n.all_start_micros, n.all_end_rel_micros, n.thread_id, n.timeline_label)
                                        for n in device.node_stats])


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    print("\n".join(sorted(lines(sys.argv[1]))))
