/* A recorded simulation as tables: CSV as RFC 4180 has it, a line a module or a message. */
#include "base/diag.h"
#include "io/trace/trace.h"
#include <inlay/io.h>

/* ---- Modules ---- */

static bool put_modules(const inlay_simulation *simulation, line_writer *w)
{
    const inlay_mapping *mapping = inlay_simulation_mapping(simulation);
    const inlay_app *app = inlay_mapping_app(mapping);
    line_text(w, "module,processor,start,end\n");
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        line_csv(w, inlay_app_module_name(app, i), ',');
        line_number(w, trace_processor(simulation, inlay_mapping_cluster_of(mapping, i)), ',');
        trace_number(w, inlay_simulation_start(simulation, i), ',');
        trace_number(w, inlay_simulation_end(simulation, i), '\n');
    }
    return true;
}

int inlay_simulation_write_modules(const inlay_simulation *simulation, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    return trace_write(simulation, put_modules, path, diag);
}

/* ---- Messages: what there is not is an empty field ---- */

static void put_message(line_writer *w, const inlay_simulation *simulation, const inlay_simulated_message *message)
{
    const inlay_app *app = inlay_mapping_app(inlay_simulation_mapping(simulation));
    line_csv(w, message->from >= 0 ? inlay_app_module_name(app, message->from) : "", ',');
    line_csv(w, message->block >= 0 ? inlay_app_block_name(app, message->block) : "", ',');
    line_csv(w, inlay_app_module_name(app, message->to), ',');
    line_number(w, trace_processor(simulation, message->sender), ',');
    line_number(w, trace_processor(simulation, message->receiver), ',');
    if (message->memory >= 0) {
        line_number(w, message->memory, ',');
    } else {
        line_text(w, ",");
    }
    line_text(w, message->awaited ? "yes," : "no,");
    line_number(w, message->messages, ',');
    trace_number(w, message->due, ',');
    trace_number(w, message->request, ',');
    trace_number(w, message->begin, ',');
    trace_number(w, message->sent, ',');
    trace_number(w, message->arrival, ',');
    trace_number(w, message->service, '\n');
}

static bool put_messages(const inlay_simulation *simulation, line_writer *w)
{
    size_t count;
    const inlay_simulated_message *messages = inlay_simulation_messages(simulation, &count);
    line_text(w, "from,block,to,sender,receiver,memory,awaited,messages,due,request,begin,sent,arrival,service\n");
    for (size_t i = 0; i < count; i++) {
        put_message(w, simulation, &messages[i]);
    }
    return true;
}

int inlay_simulation_write_messages(const inlay_simulation *simulation, const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    return trace_write(simulation, put_messages, path, diag);
}
