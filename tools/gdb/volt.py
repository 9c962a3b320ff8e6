"""Lists the tasks of a program that uses volt, in gdb: of a process or of a core file.

    gdb -x tools/gdb/volt.py -ex "volt tasks" -batch PROGRAM CORE
    gdb -x tools/gdb/volt.py -ex "volt tasks" -batch -p PID

No function of the program is called, and no debug information is needed. The script reads the table
`VOLT_INSPECT_V1`, which it finds by its symbol, or in a stripped program by its first bytes.
"""

import struct

import gdb

MAGIC = b"volt-inspect\0\0\0\x01"
WORD = 8
LIFECYCLES = ["idle", "queued", "running", "complete"]
UNREGISTERED = 1 << 63
# The bits of the state word.
CANCELLED, ORPHANED = 1 << 9, 1 << 14
# The kinds of metadata.
LOCATION, NAMED = 1, 2
# The kinds of position layouts.
TAG, SITE, POINTER, FIELD, SUSPENDED = 1, 2, 3, 4, 5
# The values of the byte with the stage of a machine, and the first one of a suspend point.
START, RETURNED, PANICKED, FIRST_SUSPEND = 0, 1, 2, 3
# The size of the entry of a suspend point.
SLOT = 2 * WORD
# The most pointers and wrappers around one future.
MAX_DEPTH = 64


class Memory:
    """Reads values of the program."""

    def bytes(self, address, size):
        return bytes(gdb.selected_inferior().read_memory(address, size))

    def word(self, address):
        return struct.unpack("<Q", self.bytes(address, WORD))[0]

    def u32(self, address):
        return struct.unpack("<I", self.bytes(address, 4))[0]

    def text(self, address):
        """Reads a `&str`: a pointer and a length."""
        pointer, length = self.word(address), self.word(address + WORD)
        return self.bytes(pointer, min(length, 4096)).decode("utf-8", "replace")


def find_table(memory):
    """Returns the address of the table."""
    for line in gdb.execute("info variables VOLT_INSPECT_V1", to_string=True).splitlines():
        fields = line.split()
        if fields and fields[0].startswith("0x"):
            address = int(fields[0], 16)
            if memory.bytes(address, len(MAGIC)) == MAGIC:
                return address
    return scan(memory)


def scan(memory):
    """Looks for the first bytes of the table in the data of the program."""
    for line in gdb.execute("info files", to_string=True).splitlines():
        fields = line.split()
        # `0x.. - 0x.. is .data.rel.ro`, and for libraries `.. in FILE`.
        if len(fields) < 5 or fields[1] != "-" or "data" not in fields[4]:
            continue
        start, end = int(fields[0], 16), int(fields[2], 16)
        try:
            found = memory.bytes(start, end - start).find(MAGIC)
        except gdb.MemoryError:
            continue
        if found >= 0:
            return start + found
    raise gdb.GdbError("no table of volt: the program has no runtime, or another version of volt")


class Table:
    """The table `DebuggerTable` of volt/src/task/registry/debugger_table.rs, field by field."""

    FIELDS = """size
        pages page_count first_page entries
        state vtable id polls layout
        buckets bucket_count type_id type_name position next
        state_size state_machine state_name state_file state_line state_column tables_states
        named_name named_location location""".split()

    def __init__(self, memory):
        address = find_table(memory)
        place = address + len(MAGIC)
        for field in self.FIELDS:
            setattr(self, field, memory.word(place))
            place += WORD
        self.line, self.column = memory.u32(place), memory.u32(place + 4)
        expected = place + 8 - address
        if self.size != expected:
            raise gdb.GdbError(f"the table has {self.size} bytes, the script knows {expected}")


class Tasks:
    """The tasks of the program."""

    def __init__(self):
        self.memory = Memory()
        self.table = Table(self.memory)
        self.types = self.read_types()
        self.location_fields = self.find_location_fields()

    def read_types(self):
        """Returns the address of the entry for each registered type."""
        memory, table, types = self.memory, self.table, {}
        for bucket in range(table.bucket_count):
            entry = memory.word(table.buckets + bucket * WORD)
            while entry:
                types[memory.bytes(entry + table.type_id, 16)] = entry
                entry = memory.word(entry + table.next)
        return types

    def find_location_fields(self):
        """Returns the offsets of the line and column in a `Location` of the standard library."""
        memory, table = self.memory, self.table
        numbers = [memory.u32(table.location + offset) for offset in (16, 20)]
        if numbers == [table.line, table.column]:
            return 16, 20
        if numbers == [table.column, table.line]:
            return 20, 16
        return None

    def addresses(self):
        """Returns the addresses of all tasks."""
        memory, table = self.memory, self.table
        for number in range(table.page_count):
            page = memory.word(table.pages + number * WORD)
            if not page:
                continue
            first = memory.word(page + table.entries)
            count = table.first_page << number
            words = memory.bytes(first, count * WORD)
            for (word,) in struct.iter_unpack("<Q", words):
                # Bit 0 marks a slot with a task, and bit 1 a reader.
                if word & 1:
                    yield word & ~3

    def place(self, location):
        if self.location_fields is None:
            return None
        # The text of a file name may end with a zero byte that is not counted.
        line, column = (self.memory.u32(location + field) for field in self.location_fields)
        return f"{self.memory.text(location)}:{line}:{column}"

    def origin(self, task, layout):
        """Returns the name of a task and the location of its spawn, each if it is known."""
        memory, table = self.memory, self.table
        metadata, kind = task + memory.word(layout + 24), memory.word(layout + 32)
        if kind == LOCATION:
            return None, self.place(memory.word(metadata))
        if kind == NAMED:
            box = memory.word(metadata)
            location = memory.word(box + table.named_location)
            return memory.text(box + table.named_name), self.place(location)
        return None, None

    def position(self, future, type_id):
        """Returns the name of a future's type, and the address of its state, each if it is known."""
        memory, table, name = self.memory, self.table, None
        for _ in range(MAX_DEPTH):
            entry = self.types.get(type_id)
            if entry is None:
                break
            name = memory.text(entry + table.type_name)
            layout = entry + table.position
            kind, offset = memory.word(layout), memory.word(layout + WORD)
            if kind == TAG:
                states = memory.word(layout + 2 * WORD) + table.tables_states
                tag = memory.bytes(future + offset, 1)[0]
                if tag < memory.word(states + WORD):
                    return name, memory.word(states) + tag * table.state_size
                return name, None
            if kind == SITE:
                site = memory.word(future + offset)
                return name, memory.word(site) if site else None
            if kind == SUSPENDED:
                return name, self.suspended(future, layout)
            if kind == POINTER:
                future, type_id = memory.word(future), memory.bytes(layout + WORD, 16)
            elif kind == FIELD:
                future, type_id = future + offset, memory.bytes(layout + 2 * WORD, 16)
            else:
                break
        return name, None

    def suspended(self, future, layout):
        """Returns the address of the state of a coroutine, if it is known."""
        memory, table = self.memory, self.table
        stage, tag, tables, slots, count = (
            memory.word(layout + field * WORD) for field in range(1, 6)
        )
        states = memory.word(tables + table.tables_states)
        states_count = memory.word(tables + table.tables_states + WORD)
        stage = memory.bytes(future + stage, 1)[0]
        if stage == START:
            return states
        if stage == RETURNED:
            return states + (states_count - 1) * table.state_size
        index = memory.bytes(future + tag, 1)[0] - FIRST_SUSPEND
        if stage == PANICKED or not 0 <= index < count:
            return None
        site = memory.word(slots + index * SLOT)
        return memory.word(site) if site else None

    def describe_state(self, state):
        memory, table = self.memory, self.table
        machine, name, file = (
            memory.text(state + field)
            for field in (table.state_machine, table.state_name, table.state_file)
        )
        line, column = (memory.u32(state + field) for field in (table.state_line, table.state_column))
        return f"{machine} at {name}, {file}:{line}:{column}"

    def describe(self, task):
        memory, table = self.memory, self.table
        word, bits = memory.word(task + table.state), memory.word(task + table.id)
        lifecycle = LIFECYCLES[word & 3]
        layout = memory.word(task + table.vtable) + table.layout
        name, spawned = self.origin(task, layout)
        identity = f"#{bits & ~UNREGISTERED}" if bits & UNREGISTERED else f"{bits & 0xFFFFFFFF}.{bits >> 32}"
        quoted = f' "{name}"' if name else ""
        text = f"task {identity}{quoted}: {lifecycle}, polled {memory.u32(task + table.polls)} times"
        text += ", cancelled" if word & CANCELLED else ""
        text += ", with no waker left" if word & ORPHANED else ""
        text += f", spawned at {spawned}" if spawned else ""
        future = task + memory.word(layout + 16)
        type_name, state = self.position(future, memory.bytes(layout, 16))
        # The position of a future that is being polled is not written yet.
        if lifecycle in ("idle", "queued") and state:
            text += f"\n   {self.describe_state(state)}"
        elif type_name:
            text += f"\n   {type_name}"
        return text


class VoltCommand(gdb.Command):
    """Commands for programs that use volt."""

    def __init__(self):
        super().__init__("volt", gdb.COMMAND_DATA, prefix=True)


class VoltTasks(gdb.Command):
    """Lists all tasks of the process: id, name, state, and the await of the outermost machine."""

    def __init__(self):
        super().__init__("volt tasks", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        tasks, count = Tasks(), 0
        for task in tasks.addresses():
            try:
                print(tasks.describe(task))
            except gdb.MemoryError as error:
                print(f"task at {task:#x}: {error}")
            count += 1
        print(f"{count} tasks")


VoltCommand()
VoltTasks()
