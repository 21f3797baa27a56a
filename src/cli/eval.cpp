// SPDX-License-Identifier: Apache-2.0
// cosmati eval: expressions of the algebra.
#include "command.hpp"
#include "expression/parser.hpp"
#include "lines.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace cosmati::cli {

namespace {

struct options {
  std::string expression;
  bool json = false;
};

/// Appends the answer to one line, or `error: ...`, without a line break.
void answer(evaluator& evaluate, std::string_view line, std::string& out) {
  std::size_t const before = out.size();
  try {
    append_text(out, evaluate(line));
  } catch (parse_error const& e) {
    out.resize(before);
    out += "error: column ";
    out += std::to_string(e.position() + 1);
    out += ": ";
    for (char const c : e.message()) out += c == '\n' ? ' ' : c;
  } catch (error const& e) {
    out.resize(before);
    out += "error: ";
    for (char const* c = e.what(); *c != '\0'; ++c) out += *c == '\n' ? ' ' : *c;
  }
}

void append_json(std::string& out, std::string_view expression, std::string const& text) {
  nlohmann::json line;
  line["expression"] = expression;
  if (text.starts_with("error: ")) {
    line["error"] = text.substr(7);
  } else {
    line["result"] = text;
  }
  out += line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void answer_standard_input(bool json) {
  evaluator evaluate;
  std::string text;
  answer_lines([&](std::string_view expression, std::string& out) {
    if (!json) return answer(evaluate, expression, out);
    text.clear();
    answer(evaluate, expression, text);
    append_json(out, expression, text);
  });
}

void run(options const& o) {
  if (o.expression == "-") return answer_standard_input(o.json);
  evaluator evaluate;
  std::string text;
  append_text(text, evaluate_argument(evaluate, "eval", o.expression));
  std::string out;
  if (o.json) {
    append_json(out, o.expression, text);
  } else {
    out = text;
  }
  write_output(out + '\n');
}

}  // namespace

void add_eval_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("eval", "Evaluate an expression of the algebra");
  auto const o = std::make_shared<options>();
  command->add_option("EXPR", o->expression, "The expression; - reads one expression a line from standard input")
      ->required();
  command->add_flag("--json", o->json, "Answer as JSON, one object a line");
  command->footer(
      "Every function of the algebra has its C++ name. Integers are static.\n"
      "  cosmati eval 'composition((8,4):(1,8), 4:2)'\n"
      "  cosmati eval 'logical_divide(16:3, 4:2)'\n"
      "  cosmati eval 'zipped_divide((8,4):(1,8), (4:1, 2:2))'       a tuple of layouts is a tiler\n"
      "  cosmati eval 'raked_product((8,4):(4,1), (1,4):(0,1))'\n"
      "  cosmati eval 'take<0,2>(make_layout((4,2,3), LayoutRight{}))'\n"
      "  cosmati eval '((8,4):(1,8))(3,2)'                           the layout at a coordinate\n"
      "  cosmati eval 'composition(Sw<3,4,3>, (8,64):(64,1))'\n"
      "  printf '%s\\n' 'size((4,2))' 'coalesce((2,4):(1,2))' | cosmati eval -\n"
      "With -, the answer to a wrong line is `error: ...`, and the command continues with the next line.");
  command->callback([o] { run(*o); });
}

}  // namespace cosmati::cli
