"""Files: instances read, outputs written whole or not at all."""
