"""Welch's t-test: whether two samples with different variances have different means."""
from math import sqrt
from statistics import fmean, variance

KEPT = 0.75


def t(one, other):
    """Beyond 4.5, the usual limit for timing leaks, the means almost certainly differ."""
    return (fmean(one) - fmean(other)) / sqrt(variance(one) / len(one) + variance(other) / len(other))


def cropped(one, other):
    """Both samples without the values above the same limit: interrupts are slow, not the comparison."""
    limit = sorted(one + other)[int(KEPT * (len(one) + len(other)))]
    return [[value for value in sample if value <= limit] for sample in (one, other)]
