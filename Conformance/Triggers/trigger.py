"""The table that a module of triggers fills."""


def table():
    """An empty table, and the decorator that enters a function under the name of its file."""
    triggers = {}

    def trigger(name):
        def enter(make):
            triggers[name] = make
            return make

        return enter

    return triggers, trigger
