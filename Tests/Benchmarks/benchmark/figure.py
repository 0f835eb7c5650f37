"""One measured figure, what it should reach, and whether it does."""
from dataclasses import dataclass, field
from statistics import median


@dataclass(frozen=True)
class Goal:
    """A limit for the figure itself, or for its ratio to the peer's in the same run."""
    limit: float
    at_least: bool
    of_ratio: bool
    is_strict: bool = False

    def met_by(self, measured):
        if self.is_strict:
            return measured > self.limit if self.at_least else measured < self.limit
        # Judged as printed: a ratio of 0.999 prints, and passes, as 1.00.
        shown = round(measured, 2)
        return shown >= self.limit if self.at_least else shown <= self.limit

    def text(self, unit):
        sign = (">" if self.at_least else "<") + ("" if self.is_strict else "=")
        return f"{sign} {self.limit:.2f} of peer" if self.of_ratio else f"{sign} {number(self.limit)} {unit}"


def at_least_ratio(limit):
    return Goal(limit, at_least=True, of_ratio=True)


def at_most_ratio(limit):
    return Goal(limit, at_least=False, of_ratio=True)


def at_most(limit):
    return Goal(limit, at_least=False, of_ratio=False)


def under(limit):
    """Less than the limit before it is rounded."""
    return Goal(limit, at_least=False, of_ratio=False, is_strict=True)


def at_least(limit):
    return Goal(limit, at_least=True, of_ratio=False)


@dataclass
class Figure:
    """`rounds` and `peer_rounds` hold every round; the figure is their median. If each round has a round of the peer, the
    ratio is the median of their ratios, because the two met the same machine. Without a goal it is information."""
    name: str
    unit: str
    rounds: list
    goal: Goal | None = None
    peer: str = ""
    peer_rounds: list = field(default_factory=list)
    note: str = ""

    @property
    def ours(self):
        return median(self.rounds)

    @property
    def peers(self):
        return median(self.peer_rounds) if self.peer_rounds else None

    @property
    def ratio(self):
        if self.peers and len(self.rounds) == len(self.peer_rounds) and all(self.peer_rounds):
            return median(ours / its for ours, its in zip(self.rounds, self.peer_rounds))
        return self.ours / self.peers if self.peers else None

    @property
    def verdict(self):
        if self.goal is None:
            return "info"
        return "pass" if self.goal.met_by(self.ratio if self.goal.of_ratio else self.ours) else "MISS"


def number(value):
    """Three significant digits or more, thousands separated."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3g}"
