"""What verify_in_houdini.py says: a line for each check, and a table of them all."""
import sys
import traceback


class Failed(Exception):
    """A check that did not come out right; its text says how."""


class Skipped(Exception):
    """A check that could not be made; its text says why."""


def require(condition, text):
    if not condition:
        raise Failed(text)


class Report:
    """Runs checks and prints what became of them. A check that breaks is a check that failed."""

    def __init__(self, out=sys.stdout):
        self.out = out
        self.counts = {"ok": 0, "FAILED": 0, "skipped": 0, "answer": 0, "unknown": 0}
        self.rows = []

    def check(self, name, function):
        try:
            detail = function()
            self.add("ok", name, detail)
            return True
        except Skipped as reason:
            self.add("skipped", name, str(reason))
        except Failed as reason:
            self.add("FAILED", name, str(reason))
        except Exception as error:  # whatever Houdini throws
            self.add("FAILED", name, "%s: %s" % (type(error).__name__, error))
            traceback.print_exc(file=sys.stderr)
        return False

    def ask(self, name, function):
        """A question about Houdini; what breaks is a question that has no answer."""
        try:
            self.add("answer", name, function())
        except Exception as error:  # whatever Houdini throws
            self.add("unknown", name, "%s: %s" % (type(error).__name__, error))

    def add(self, word, name, detail):
        detail = " ".join(str(detail or "").split())
        self.counts[word] += 1
        self.rows.append((word, name, detail))
        self.out.write("%-8s %s%s\n" % (word, name, ": " + detail if detail else ""))
        self.out.flush()

    def table(self, system):
        lines = ["----- please send us everything between these lines -----", system,
                 "| result | check | detail |", "|---|---|---|"]
        lines += ["| %s | %s | %s |" % (word, name, detail.replace("|", "/")) for word, name, detail in self.rows]
        return "\n".join([*lines, "----- until here -----", ""])

    def verdict(self):
        """Words and exit code."""
        failed = self.counts["FAILED"] > 0 or self.counts["ok"] == 0
        partly = self.counts["skipped"] > 0
        words = ("the plugin does NOT work here" if failed else
                 "partly checked, and what was checked works" if partly else "the plugin works here")
        return "VERDICT  %s: %d ok, %d failed, %d skipped, %d questions answered, %d not" % (
            words, *[self.counts[word] for word in ("ok", "FAILED", "skipped", "answer", "unknown")]), (
                1 if failed else 2 if partly else 0)
