"""What every floor may use: errors, and numbers that a caller gives."""
