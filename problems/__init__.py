"""The problems that come with nrpa, each in a folder of its own; ``nrpa.registry`` knows them by name."""
