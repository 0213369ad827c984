# SPDX-License-Identifier: MIT
"""The same contract classes, written with each library as its own documentation advises.

A peer is a module with the contract classes and enums under their usual names, and:

- `ERROR`: what it raises for data that it refuses (a class, or a tuple of classes);
- `to_dict(value)`, `to_json(value)`: plain data, and compact JSON text with real characters;
- `from_json(contract, text)`: a checked object of one class;
- `told(error)`: all that its error says.

Peers import nothing of each other but `words`, and `plain_dataclasses` where the library works
on plain dataclasses, so that the time of an import is the library's own.
"""
