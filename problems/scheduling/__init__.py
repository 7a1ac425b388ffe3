"""Scheduling: job shops, and projects with scarce resources."""

KIND = "scheduling"
PROBLEMS = {
    "jobshop": ("jobshop:JobShop", "the job shop: operations of jobs on machines, so that the last ends early"),
    "rcpsp": ("rcpsp:RCPSP", "resource-constrained project scheduling"),
}
