

def file(variable, path):
    """The file that an environment variable names, or else one beside this file."""
    return os.environ.get(variable) or path and os.path.join(os.path.dirname(os.path.abspath(__file__)), path)
