"""The compiled search engine: what every solver and every problem stands on."""
