#include "parser.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "body.hpp"
#include "initializer.hpp"
#include "ptx/decode/linker.hpp"
#include "ptx/syntax/declaration.hpp"
#include "ptx/syntax/lexer.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

class ModuleParser {
 public:
  ModuleParser(std::string_view text, Linker& linker) : lexer_(text), linker_(linker) {}

  void parse() {
    if (!lexer_.peek().is(".version")) {
      refuse(lexer_.peek().line,
             "expected PTX, which begins with .version, got " + lexer_.peek().quoted());
    }
    while (lexer_.peek().kind != Token::Kind::end) read_directive();
    linker_.finish(version_, target_);
  }

 private:
  void read_directive() {
    const Token token = lexer_.peek();
    const std::string_view word = lexer_.word("a directive");
    if (word == ".version") return begin_unit();
    if (word == ".target") return read_target();
    if (word == ".address_size") return read_address_size();
    if (word == ".file") return read_file(lexer_, linker_, token);
    if (word == ".loc") return lexer_.skip_line(token);
    if (word == ".section") return skip_section();
    if (word == ".pragma") return lexer_.skip_past(';');
    if (read_linkage(word)) return;
    const Linkage linkage = std::exchange(linkage_, Linkage::internal);
    if (word == ".entry" || word == ".func") return read_function(word == ".entry", linkage);
    if (word == ".global") return read_variables(Space::global, linkage);
    if (word == ".const") return read_variables(Space::constant, linkage);
    if (word == ".shared") return read_shared(linkage);
    refuse(token.line, "expected a directive that the CUDA simulator knows, got " + token.quoted());
  }

  void begin_unit() {
    const Token token = lexer_.next();
    const std::string text(token.text);
    char* rest = nullptr;
    const unsigned major = static_cast<unsigned>(std::strtoul(text.c_str(), &rest, 10));
    const unsigned minor =
        *rest == '.' ? static_cast<unsigned>(std::strtoul(rest + 1, nullptr, 10)) : 0;
    version_ = std::max(version_, major * 10 + minor);
    linker_.begin_unit();
  }

  void read_target() {
    do {
      const std::string_view word = lexer_.word("a target");
      if (word.substr(0, 3) != "sm_") continue;
      target_ = std::max(target_, static_cast<unsigned>(std::strtoul(
                                      std::string(word.substr(3)).c_str(), nullptr, 10)));
    } while (lexer_.accept(','));
  }

  void read_address_size() {
    const unsigned line = lexer_.peek().line;
    const std::int64_t bits = lexer_.integer("an address size");
    if (bits != 64) refuse(line, "expected addresses of 64 bits, got " + std::to_string(bits));
  }

  bool read_linkage(std::string_view word) {
    if (word == ".visible") {
      linkage_ = Linkage::visible;
    } else if (word == ".extern") {
      linkage_ = Linkage::external;
    } else if (word == ".weak" || word == ".common") {
      linkage_ = Linkage::weak;
    } else {
      return false;
    }
    return true;
  }

  void skip_section() {
    while (!lexer_.peek().is('{') && lexer_.peek().kind != Token::Kind::end) lexer_.next();
    lexer_.expect('{');
    for (int depth = 1; depth > 0;) {
      const Token token = lexer_.next();
      if (token.kind == Token::Kind::end)
        refuse(token.line, "expected '}', got the end of the text");
      depth += token.is('{') ? 1 : token.is('}') ? -1 : 0;
    }
  }

  void read_variables(Space space, Linkage linkage) {
    const DeclaredType type = read_declared_type(lexer_);
    do {
      const Declared declared = read_declared_name(lexer_, type);
      Variable& variable = linker_.declare_variable(declared, space, linkage);
      if (lexer_.accept('=')) {
        if (variable.defined && !variable.initial.empty() && linkage != Linkage::weak) {
          refuse(declared.line, "expected one definition of '" + variable.name + "', got a second");
        }
        variable.relocations.clear();
        variable.initial = read_initializer(lexer_, declared, linker_, variable.relocations);
        variable.size = std::max(variable.size, variable.initial.size());
        variable.defined = true;
      } else if (linkage != Linkage::external) {
        variable.defined = true;
      }
    } while (lexer_.accept(','));
    lexer_.expect(';');
  }

  void read_shared(Linkage linkage) {
    const DeclaredType type = read_declared_type(lexer_);
    do {
      linker_.declare_shared(read_declared_name(lexer_, type), linkage);
    } while (lexer_.accept(','));
    lexer_.expect(';');
  }

  void read_function(bool kernel, Linkage linkage) {
    std::vector<Declared> results;
    if (!kernel) {
      while (lexer_.accept(".attribute")) lexer_.skip_past(')');
      if (lexer_.peek().is('(')) results = read_parameters(lexer_);
    }
    const Token token = lexer_.peek();
    const std::string_view name = lexer_.word("the name of a function");
    std::vector<Declared> parameters;
    if (lexer_.peek().is('(')) parameters = read_parameters(lexer_);
    Function* function = &linker_.declare_function(name, linkage, token.line);
    unsigned maximum_threads = 1024;
    std::array<unsigned, 3> required_block{};
    read_performance_directives(maximum_threads, required_block);
    const bool only_declared = lexer_.accept(';');
    if (function->defined && !only_declared) {
      if (linkage != Linkage::weak) {
        refuse(token.line, "expected one definition of '" + function->name + "', got a second");
      }
      function = &linker_.discarded();
    }
    if (!function->defined) lay_out(*function, results, parameters);
    if (only_declared) return;
    function->kernel = kernel;
    function->defined = true;
    function->maximum_threads = maximum_threads;
    function->required_block = required_block;
    read_body(lexer_, linker_, *function, results, parameters);
  }

  void lay_out(Function& function, const std::vector<Declared>& results,
               const std::vector<Declared>& parameters) {
    function.results.clear();
    function.parameters.clear();
    std::size_t offset = 0;
    for (const Declared& result : results) {
      function.results.push_back(place_parameter(offset, result.size, result.alignment));
    }
    for (const Declared& parameter : parameters) {
      function.parameters.push_back(place_parameter(offset, parameter.size, parameter.alignment));
    }
    function.formal_bytes = offset;
    function.parameter_bytes = offset;
  }

  void read_performance_directives(unsigned& maximum_threads,
                                   std::array<unsigned, 3>& required_block) {
    for (;;) {
      const Token token = lexer_.peek();
      if (token.is(".maxntid") || token.is(".reqntid")) {
        lexer_.next();
        std::uint64_t threads = 1;
        std::array<unsigned, 3> block{1, 1, 1};
        std::size_t axis = 0;
        do {
          const auto along = static_cast<unsigned>(lexer_.integer("a number of threads")) & 0xfff;
          threads *= along;
          if (axis < block.size()) block[axis++] = along;
        } while (lexer_.accept(','));
        if (token.is(".reqntid")) required_block = block;
        if (threads >= 1 && threads < maximum_threads)
          maximum_threads = static_cast<unsigned>(threads);
      } else if (token.is(".minnctapersm") || token.is(".maxnreg") || token.is(".abi_preserve") ||
                 token.is(".maxclusterrank")) {
        lexer_.next();
        lexer_.integer("a number");
      } else if (token.is(".noreturn")) {
        lexer_.next();
      } else if (token.is(".pragma")) {
        lexer_.skip_past(';');
      } else {
        return;
      }
    }
  }

  Lexer lexer_;
  Linker& linker_;
  Linkage linkage_ = Linkage::internal;
  unsigned version_ = 0;
  unsigned target_ = 0;
};

}  // namespace

std::unique_ptr<Program> load_program(std::string_view text) {
  auto program = std::make_unique<Program>();
  Linker linker(*program);
  ModuleParser(text, linker).parse();
  return program;
}

}  // namespace array_interface::cuda_simulator::ptx
