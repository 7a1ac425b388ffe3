"""RNA inverse folding."""
