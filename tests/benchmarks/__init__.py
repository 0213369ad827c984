# SPDX-License-Identifier: MIT
"""Speed and memory beside other libraries. Nothing here is run by the test suite."""
