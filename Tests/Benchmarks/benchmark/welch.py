"""Welch's t-test: whether two samples have different means, though their variances differ."""
from math import sqrt
from statistics import fmean, variance

KEPT = 0.75


def t(one, other):
    """Beyond 4.5, as is the custom for timing leaks, the means differ with next to no doubt."""
    return (fmean(one) - fmean(other)) / sqrt(variance(one) / len(one) + variance(other) / len(other))


def cropped(one, other):
    """Both without what is above the same limit: interrupts are slow, not the comparison."""
    limit = sorted(one + other)[int(KEPT * (len(one) + len(other)))]
    return [[value for value in sample if value <= limit] for sample in (one, other)]
