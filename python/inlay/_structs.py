"""The structures of the C headers that this package fills or reads, as ctypes.

One table; tests/python.py compiles a C program that holds every size and offset of it against the headers. A structure
that ends in `...` is only ever read through a pointer, and only so far.
"""
import ctypes as c

HEADER = """
inlay_decimal: int64_t digits, int scale
inlay_duration: inlay_decimal value, int unit
inlay_effort: int64_t evaluations, double seconds
inlay_options: ptr method, bool has_time_frame, inlay_duration time_frame, int32_t processors, int reduce, int reduce_when,
    bool reduce_by_traffic, int parallel, bool keep_unrelated, int blocking, int start, int layout, int order, int copies,
    bool ignore_cores, double tick_seconds, uint64_t seed, int64_t max_events, inlay_effort effort, int risk, int objective,
    int32_t threads, ptr progress
inlay_sweep_options: inlay_options mapping, bool has_from, bool has_to, inlay_duration from, inlay_duration to,
    int32_t points, bool all, int32_t threads, ptr each, ptr context
inlay_pareto_options: inlay_options mapping, int32_t from, int32_t to
inlay_compare_options: inlay_options mapping, int sort, bool fronts
inlay_compare_input: ptr app, ptr machine, text name, text source
inlay_spread: int kind, double cv
inlay_simulation_options: int contention, bool no_overlap, inlay_spread module_time, inlay_spread transfer_time,
    uint64_t seed, int64_t replications, int threads, double compute_scale, double network_scale, ptr processor_scale,
    int32_t cores, int64_t max_events, bool interval, double confidence, bool record
inlay_task_schedule: int64_t entries, ptr module, ptr processor, bool ordered, ptr start
inlay_reading: text format, text graph, int32_t iterations, ptr attributes, size_t attribute_count, bool file_links,
    bool file_blocks, bool file_storage, int32_t storage
inlay_loaded: ptr app, ptr machine, ptr mapping
inlay_origin: text command, text app_path, text app_format, uint64_t seed, ptr in_order
inlay_result_context: text command, uint64_t seed, ptr said, text file
inlay_app_facts: int32_t processors, double bandwidth, bool parallelism
inlay_explained: ptr explanation, ptr mapping, text file, text app, bool no_overlap
inlay_domain_parameter: text name, double value
inlay_communication: bool given, double c1, double c2, double c3, double c4, int growth
inlay_metasystem_cluster: text name, text type, int32_t total, int32_t available, ptr usable, double rate, text format,
    int32_t network, int interconnect, int32_t rows, int32_t columns, inlay_communication*3 communication,
    double price, double power
inlay_metasystem: text name, int time_unit, size_t clusters, ptr cluster, ...
inlay_wish: bool wanted, bool has_deadline, bool has_budget, double deadline, double budget, int by
inlay_select_terms: bool all_phases, int map, int router, ptr curve
inlay_select_options: int method, bool as_given, int32_t best, int64_t limit
inlay_select_question: ptr program, ptr metasystem, text program_name, text metasystem_name, inlay_select_terms terms,
    inlay_select_options options, ptr given, int32_t points, bool tells_tasks, inlay_wish wish
inlay_grid_problem: int64_t rows, int64_t columns, int64_t planes, bool bounded, int64_t item, int32_t processors,
    ptr speed, ptr weights, ptr room, ptr host, ptr curve
inlay_grid_network: double latency, double per_byte, int64_t payload, int64_t frame, int wiring, int32_t networks, ptr ways
inlay_grid_options: int shares, int unit, int64_t unit_rows, int64_t unit_columns, bool down, bool alike, uint64_t seed
inlay_grid_rank_options: inlay_grid_options decomposition, uint32_t methods, ptr owner, bool all, int64_t tries,
    bool redistribute
inlay_grid_program: int64_t rows, int64_t columns, int64_t planes, bool bounded, int64_t item, size_t phases, ...
inlay_grid_routes: int64_t pairs, int64_t other, double least_latency, double most_latency, double least_per_byte,
    double most_per_byte
inlay_grid_machines: int32_t processors, ptr speed, ptr name, ptr host, ptr memory, bool networked, inlay_grid_network network,
    int mean, bool speed_assumed, inlay_grid_routes routes
inlay_grid_sizes: int64_t from, int64_t to, size_t points
inlay_grid_question: inlay_grid_problem problem, ptr program, ptr machines, inlay_grid_network network,
    bool latency_assumed, bool per_byte_assumed, inlay_grid_routes routes, inlay_grid_rank_options options,
    inlay_grid_sizes sizes, ptr weights, ptr room
inlay_grid_result: inlay_grid_question asked, ptr ranking, ...
inlay_grid_row: int method, double ratio, int32_t processors, double*10 cost, double seconds_all, ptr decomposition
inlay_decomposition_picture: text title, ptr name, ptr speed, text speed_unit, ptr pattern
"""

TYPES = {
    "int": c.c_int, "int32_t": c.c_int32, "uint32_t": c.c_uint32, "int64_t": c.c_int64, "uint64_t": c.c_uint64,
    "size_t": c.c_size_t, "double": c.c_double, "bool": c.c_bool, "text": c.c_char_p, "ptr": c.c_void_p,
}
PARTIAL = set()  # names of those that end in `...`


def _define() -> None:
    for line in HEADER.replace("\n    ", " ").strip().splitlines():
        name, members = line.split(": ")
        fields = []
        for member in members.split(", "):
            if member == "...":
                PARTIAL.add(name)
                continue
            kind, field = member.split()
            kind, _, times = kind.partition("*")
            fields.append((field, TYPES[kind] * int(times) if times else TYPES[kind]))
        TYPES[name] = type(name, (c.Structure,), {"_fields_": fields})


_define()
STRUCTS = {name: kind for name, kind in TYPES.items() if name.startswith("inlay_")}
