"""Has another process make a system call, as an attacker in it could: system_call.py PID NUMBER [ARGUMENT...]

An argument is a number, a path, or bytes as "hex:" and digits. The process goes on afterwards as if nothing had been. It prints, as JSON, the result: the kernel's
number, which is the negative errno of a failure. Only for x86-64; needs the right to trace the process.
"""
import ctypes
import json
import os
import sys

ATTACH, DETACH, STEP, GET, SET = 16, 17, 9, 12, 13
NAMES = """r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base ds es fs
gs""".split()
ARGUMENTS = ["rdi", "rsi", "rdx", "r10", "r8", "r9"]
# Far below the red zone of the function that was interrupted.
BELOW = 8192
# __WALL: also threads other than the first (waitpid(2)).
ANY = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


class Registers(ctypes.Structure):
    """struct user_regs_struct of sys/user.h."""
    _fields_ = [(name, ctypes.c_uint64) for name in NAMES]


def trace(request, pid, address=None, data=None):
    if LIBC.ptrace(ctypes.c_long(request), ctypes.c_long(pid), address, data) != 0:
        sys.exit(f"ptrace {request}: {os.strerror(ctypes.get_errno())}")


def call(pid, number, arguments):
    before = Registers()
    trace(GET, pid, None, ctypes.byref(before))
    registers = Registers.from_buffer_copy(before)
    place = before.rsp - BELOW
    with open(f"/proc/{pid}/mem", "r+b", 0) as memory:
        memory.seek(before.rip - 2)
        if memory.read(2) != b"\x0f\x05":
            sys.exit("expected a process that waits in a system call")
        for name, argument in zip(ARGUMENTS, arguments):
            if argument.startswith(("/", "hex:")):
                memory.seek(place)
                is_path = argument.startswith("/")
                memory.write(os.fsencode(argument) + b"\0" if is_path else bytes.fromhex(argument[4:]))
                setattr(registers, name, place)
            else:
                setattr(registers, name, int(argument) & (1 << 64) - 1)
    # No call to restart after this one.
    registers.rip, registers.rax, registers.orig_rax = before.rip - 2, number, (1 << 64) - 1
    trace(SET, pid, None, ctypes.byref(registers))
    trace(STEP, pid)
    os.waitpid(pid, ANY)
    trace(GET, pid, None, ctypes.byref(registers))
    trace(SET, pid, None, ctypes.byref(before))
    return ctypes.c_int64(registers.rax).value


def main(pid, number, *arguments):
    pid = int(pid)
    trace(ATTACH, pid)
    os.waitpid(pid, ANY)
    result = call(pid, int(number), arguments)
    trace(DETACH, pid)
    print(json.dumps({"result": result}))


main(*sys.argv[1:])
