"""Line charts as SVG, with nothing but the standard library."""
import math
from html import escape

COLOURS = ("#1f5fa8", "#d9822b", "#2e8b57", "#b0413e", "#6b4fa0", "#555555")
LEFT, TOP, RIGHT, BOTTOM = 62, 28, 14, 44  # margins, px
ROW = 16  # of the legend, px


def linear_ticks(low, high, count=5):
    """Round numbers within low..high."""
    rough = (high - low) / count
    decade = 10 ** math.floor(math.log10(rough))
    step = next(s * decade for s in (1, 2, 5, 10) if s * decade >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def log_ticks(low, high):
    """Powers of ten; also 2 and 5 where these are few."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1,) if len(decades) > 4 else (1, 2, 5)
    ticks = [f * 10.0 ** d for d in decades for f in factors if low <= f * 10.0 ** d * 1.000001 and f * 10.0 ** d <= high * 1.000001]
    return ticks[::max(1, math.ceil(len(ticks) / 7))]


def tick_text(value, log):
    if log and (value >= 1e4 or value < 1e-2) and abs(math.log10(value) - round(math.log10(value))) < 1e-6:
        exponent = str(round(math.log10(value))).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return "10" + exponent
    return f"{value:.6g}".replace("-", "−")


class Axis:
    def __init__(self, values, log=False, limits=None, pixels=(0, 1)):
        self.log, self.pixels = log, pixels
        low, high = limits or (min(values), max(values))
        if log:
            if limits is None:
                low, high = low / 1.3, high * 1.3
        elif limits is None:
            low, high = min(low, 0), max(high, 0)
            high += 0.06 * (high - low) if high > 0 else 0
            low -= 0.06 * (high - low) if low < 0 else 0
        self.low, self.high = low, high if high > low else low + 1

    def place(self, value):
        scale = math.log10 if self.log else float
        if self.log:
            value = max(value, self.low / 1e3)
        share = (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low))
        return self.pixels[0] + share * (self.pixels[1] - self.pixels[0])

    def ticks(self):
        return log_ticks(self.low, self.high) if self.log else linear_ticks(self.low, self.high)


class Chart:
    """chart = Chart("title", x="s", y="J"); chart.line("name", xs, ys); chart.svg()"""

    def __init__(self, title, x, y, log_x=False, log_y=False, x_limits=None, y_limits=None, width=440, height=300):
        self.title, self.x, self.y = title, x, y
        self.log_x, self.log_y, self.x_limits, self.y_limits = log_x, log_y, x_limits, y_limits
        self.width, self.height = width, height
        self.series = []

    def line(self, name, xs, ys, colour=None, dashed=False, marks=False):
        """Points that are None are gaps."""
        if colour is None:
            colour = COLOURS[sum(not s["dashed"] for s in self.series) % len(COLOURS)]
        pairs = [(x, y) for x, y in zip(xs, ys) if y is not None]
        self.series.append({"name": name, "points": pairs, "colour": colour, "dashed": dashed, "marks": marks})

    def body(self, left=0):
        """SVG elements, moved to the right by `left` pixels."""
        points = [p for s in self.series for p in s["points"]]
        ax = Axis([p[0] for p in points], self.log_x, self.x_limits, (LEFT, self.width - RIGHT))
        rows = self.legend_rows()
        top = TOP + ROW * len(rows)
        ay = Axis([p[1] for p in points], self.log_y, self.y_limits, (self.height - BOTTOM, top))
        clip = f"clip{left}"
        out = [f'<g transform="translate({left},0)">',
               f'<clipPath id="{clip}"><rect x="{LEFT}" y="{top - 2}" width="{self.width - LEFT - RIGHT}" '
               f'height="{self.height - top - BOTTOM + 4}"/></clipPath>',
               f'<text x="{LEFT}" y="18" font-size="13" font-weight="bold" fill="#222">{escape(self.title)}</text>']
        for tick in ay.ticks():
            y = ay.place(tick)
            out += [f'<line x1="{LEFT}" y1="{y:.1f}" x2="{self.width - RIGHT}" y2="{y:.1f}" stroke="#e2e2e2"/>',
                    f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{tick_text(tick, self.log_y)}</text>']
        for tick in ax.ticks():
            x = ax.place(tick)
            out += [f'<line x1="{x:.1f}" y1="{self.height - BOTTOM}" x2="{x:.1f}" y2="{self.height - BOTTOM + 4}" stroke="#999"/>',
                    f'<text x="{x:.1f}" y="{self.height - BOTTOM + 17}" text-anchor="middle" fill="#555">{tick_text(tick, self.log_x)}</text>']
        out += [f'<line x1="{LEFT}" y1="{self.height - BOTTOM}" x2="{self.width - RIGHT}" y2="{self.height - BOTTOM}" stroke="#999"/>',
                f'<text x="{(LEFT + self.width - RIGHT) / 2}" y="{self.height - 8}" text-anchor="middle" fill="#333">{escape(self.x)}</text>',
                f'<text transform="translate(14,{(top + self.height - BOTTOM) / 2}) rotate(-90)" text-anchor="middle" '
                f'fill="#333">{escape(self.y)}</text>', f'<g clip-path="url(#{clip})">']
        for s in self.series:
            places = [(ax.place(x), ay.place(y)) for x, y in s["points"]]
            dash = ' stroke-dasharray="5 4"' if s["dashed"] else ""
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            out.append(f'<polyline points="{path}" fill="none" stroke="{s["colour"]}" stroke-width="1.8"{dash}/>')
            if s["marks"]:
                out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{s["colour"]}"/>' for x, y in places]
        return out + ["</g>"] + self.legend(rows) + ["</g>"]

    def legend_rows(self):
        """Names under the title, as many in a row as fit."""
        rows, used = [], 0
        for s in self.series:
            if not s["name"]:
                continue
            wide = 6.3 * len(s["name"]) + 42
            if not rows or used + wide > self.width - LEFT:
                rows.append([])
                used = 0
            rows[-1].append((LEFT + used, s))
            used += wide
        return rows

    def legend(self, rows):
        out = []
        for number, row in enumerate(rows):
            y = TOP + ROW * number + 6
            for x, s in row:
                dash = ' stroke-dasharray="5 4"' if s["dashed"] else ""
                out += [f'<line x1="{x:.0f}" y1="{y - 4}" x2="{x + 20:.0f}" y2="{y - 4}" stroke="{s["colour"]}" stroke-width="2"{dash}/>',
                        f'<text x="{x + 25:.0f}" y="{y}" fill="#333">{escape(s["name"])}</text>']
        return out

    def svg(self):
        return side_by_side(self)


def side_by_side(*charts):
    width, height = sum(c.width for c in charts), max(c.height for c in charts)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="11">', f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    left = 0
    for chart in charts:
        lines += chart.body(left)
        left += chart.width
    return "\n".join(lines + ["</svg>"]) + "\n"
