#pragma once

// Handlers of prompts and resources that take a `RequestContext`.

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "call_state.hpp"
#include "respond.hpp"

namespace mcp::detail {

// Reads what all requests that can be asked back have in common.
template <class TParams>
void ReadAnswers(TParams& params, ServerCore& core, const mcp_context_t* context) {
    const mcp_str meta = mcp_context_meta(context);
    if (!IsNone(meta)) {
        params.meta = *core.ReadMeta(View(meta));
    }
    if (const TextPtr responses{mcp_context_input_responses(context)}) {
        params.input_responses = JsonValue::Parse(View(mcp_text_str(responses.get())));
    }
    const mcp_str state = mcp_context_request_state(context);
    if (!IsNone(state)) {
        params.request_state = String(state);
    }
}

// Answers `given` with what `call` makes of a context. `read` makes the parameters, but for what `ReadAnswers` reads;
// `respond` writes the result.
template <class TParams, class Read, class Call, class Respond>
void CallWithContext(const std::shared_ptr<ServerCore>& core, const mcp_context_t* context, mcp_responder_t* given,
                     Read read, Call call, Respond respond) {
    ResponderPtr responder(given);
    const InsideCall inside(core.get());
    std::shared_ptr<CallState> state;
    try {
        auto params = std::make_shared<TParams>(read());
        ReadAnswers(*params, *core, context);
        state = std::make_shared<CallState>(core, context, given, std::move(params));
        static_cast<void>(responder.release());
        const auto result = call(CallAccess::Context<TParams>(state));
        responder.reset(state->TakeResponder());
        if (responder) {
            respond(responder, result);
        }
    } catch (...) {
        RespondException(responder || !state ? responder.release() : state->TakeResponder(), Failure::kError);
    }
}

}  // namespace mcp::detail
