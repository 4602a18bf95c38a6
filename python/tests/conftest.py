"""Settings of all tests: no deadlines (code of a field is made at first use), the same examples every time."""

import os

import hypothesis

hypothesis.settings.register_profile(
    "evariste",
    deadline=None,
    derandomize=True,
    max_examples=300 if os.environ.get("EVARISTE_FULL") else 40,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
    database=None,
)
hypothesis.settings.load_profile("evariste")
