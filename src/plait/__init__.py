"""plait braids layered YAML into one configuration, and knows where every strand came from."""

__version__ = "0.1.0"
