"""Tables of what was measured, and its place in docs/performance.md."""

import math
import os
import platform

import environment
import measure

PAGE = environment.ROOT / "docs/performance.md"


def machine():
    models = (line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    sets = ", ".join(measure.instructions())
    return f"{next(models, 'a processor')} ({platform.machine()}), {os.cpu_count()} cores ({sets})"


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|:--" + "|--:" * (len(header) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def rate(queries, seconds):
    return queries / max(seconds, 1e-9)


def sweep(kind, queries, found, recalls):
    """A line for each searcher and effort."""
    header = [kind, "effort", "recall@10", "build CPU s", "build wall s", "queries / CPU s", "queries / wall s"]
    rows = []
    for measured in found:
        build = [f"{measured.build.processor:.1f}", f"{measured.build.wall:.1f}"]
        for effort, timing in measured.search.items():
            speeds = [f"{rate(queries, seconds):,.0f}" for seconds in (timing.processor, timing.wall)]
            rows.append([measured.searcher.name, effort, f"{recalls[measured.searcher.name, effort]:.4f}", *build, *speeds])
            build = ["", ""]
    return markdown(header, rows)


def at_recall(points, wanted):
    """Speed at a recall, between the two points of the sweep about it: the logarithm of the speed is
    linear in that of what is missed. None where the sweep doesn't get there; its fastest point where
    every point does, since less effort wasn't tried."""
    points = sorted(points)
    reached = [point for point in points if point[0] >= wanted]
    below = [point for point in points if point[0] < wanted]
    if not reached:
        return None
    if not below:
        return max(speed for _, speed in reached)
    (low, slow), (high, fast) = below[-1], max(reached, key=lambda point: point[1])
    missed = [math.log(max(1 - recall, 1e-6)) for recall in (low, high, wanted)]
    share = (missed[2] - missed[0]) / (missed[1] - missed[0])
    between = math.exp(math.log(slow) + share * (math.log(fast) - math.log(slow)))
    return max(fast, between)


def equal_recall(queries, found, recalls, budget):
    """Ours at each peer's recall, in queries a CPU second, and whether that keeps the budget."""
    ours = next((measured for measured in found if measured.searcher.ours), None)
    if ours is None:
        return "Ours isn't built here: peers alone.\n"
    points = [(recalls["mrmr", effort], rate(queries, timing.processor)) for effort, timing in ours.search.items()]
    rows = []
    for measured in found:
        for effort, timing in measured.search.items() if measured is not ours else ():
            recall = recalls[measured.searcher.name, effort]
            theirs, speed = rate(queries, timing.processor), at_recall(points, recall)
            cells = ["not reached", "", "missed"]
            if speed is not None:
                cells = [f"{speed:,.0f}", f"{speed / theirs:.2f} x", "kept" if speed >= budget * theirs else "missed"]
            rows.append([f"{measured.searcher.name}, {effort}", f"{recall:.4f}", f"{theirs:,.0f}", *cells])
    return markdown(["peer", "recall@10", "its queries / CPU s", "ours there", "ratio", f"budget {budget} x"], rows)


def exact(title, found, queries, recalls, budgets):
    """Exact search: ours beside the peers, for every k and size of batch."""
    header = [title, "k", "batch", "CPU s", "wall s", "queries / CPU s", "CPU, times ours", "recall", "budget"]
    rows = []
    for (k, batch), measured_of in found.items():
        least = next((m.search[""].processor for m in measured_of if m.searcher.ours), math.nan)
        for measured in measured_of:
            timing, name = measured.search[""], measured.searcher.name
            ratio, budget = timing.processor / least, ""
            if measured.searcher.tuned and (k, batch) in budgets:
                wanted = budgets[k, batch]
                budget = f"{wanted} x: {'kept' if ratio >= wanted else 'missed'}"
            count = queries[k, batch]
            cells = [f"{timing.processor:.2f}", f"{timing.wall:.2f}", f"{rate(count, timing.processor):,.0f}", f"{ratio:.1f}"]
            rows.append([name, str(k), str(batch or count), *cells, f"{recalls[k, batch, name]:.4f}", budget])
    return markdown(header, rows)


def write(part, text):
    """Puts a text between its markers in docs/performance.md."""
    page = PAGE.read_text()
    begin, end = f"<!-- {part}: begin -->\n", f"<!-- {part}: end -->"
    head, tail = page.split(begin)[0], page.split(end)[1]
    PAGE.write_text(head + begin + text + end + tail)
