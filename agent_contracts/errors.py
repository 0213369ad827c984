# SPDX-License-Identifier: MIT
"""The one error of the package: what is wrong, where, and what would be right."""

from collections.abc import Iterable
from dataclasses import dataclass

from ._frozen import Frozen

__all__ = ["MAX_PROBLEMS", "ContractError", "Problem"]

MAX_PROBLEMS = 20
"""How many problems the text of an error tells. The search for more ends soon after, so
that a payload with a million faults costs no more than a good one."""


@dataclass(frozen=True, slots=True)
class Problem(Frozen):
    """One thing that is wrong, at one place."""

    path: str
    """JSON Pointer (RFC 6901) to the value, such as `/rows/3/amount`; empty for the whole
    payload. A key longer than 60 characters and a path longer than 500 are cut, unprintable
    characters are escaped."""
    message: str
    """What is wrong and what would be right, in JSON's words. It quotes keys and enum words
    only, never SQL, parameters, evidence or any other value."""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class ContractError(ValueError):
    """Data that does not keep the contract.

    It is the only error that leaves the package for bad data. Its text is written to be read
    by a model, which can mend its call from it in one turn, and by people at night.
    """

    def __init__(self, subject: str, problems: Iterable[Problem]) -> None:
        """Make an error.

        Args:
            subject: What was being read or made: the name of a contract class.
            problems: All that is wrong with it, in the order of its fields.
        """
        super().__init__(subject, tuple(problems))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that is wrong, in the order of the fields, unknown fields last."""
        problems: tuple[Problem, ...] = self.args[1]
        return problems

    def __str__(self) -> str:
        told = [str(problem) for problem in self.problems[:MAX_PROBLEMS]]
        if len(self.problems) > MAX_PROBLEMS:
            told.append("and more")
        return f"{self.args[0]}: {'; '.join(told)}"
