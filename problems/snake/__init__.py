"""Snake-in-the-box and coil-in-the-box."""
