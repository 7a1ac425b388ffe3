"""The bundled instances: data files, read through ``nrpa.io.source``."""
