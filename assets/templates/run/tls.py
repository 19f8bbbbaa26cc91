

def file(variable, path):
    """The path in an environment variable, or else a path relative to the folder of this file."""
    return os.environ.get(variable) or path and os.path.join(os.path.dirname(os.path.abspath(__file__)), path)
