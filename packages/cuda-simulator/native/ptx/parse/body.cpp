#include "body.hpp"

#include <string>

#include "ptx/decode/scope.hpp"
#include "ptx/instructions/families.hpp"
#include "ptx/syntax/statement.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

constexpr std::size_t deepest_scope = 256;

class BodyReader {
 public:
  BodyReader(Lexer& lexer, Linker& linker, Function& function)
      : lexer_(lexer), linker_(linker), function_(function), scopes_(function) {}

  void read(const std::vector<Declared>& results, const std::vector<Declared>& parameters) {
    function_.code.clear();
    function_.lines.clear();
    for (std::size_t index = 0; index < results.size(); ++index) {
      scopes_.declare_formal(results[index], function_.results[index]);
    }
    for (std::size_t index = 0; index < parameters.size(); ++index) {
      scopes_.declare_formal(parameters[index], function_.parameters[index]);
    }
    lexer_.expect('{');
    scopes_.open();
    while (scopes_.depth() > 1) read_one();
    function_.code.push_back(return_instruction());  // so that no thread runs past the end
    scopes_.close();
  }

 private:
  void read_one() {
    const Token token = lexer_.peek();
    if (token.kind == Token::Kind::end) refuse(token.line, "expected '}', got the end of the text");
    if (lexer_.accept('{')) return open_scope(token.line);
    if (lexer_.accept('}')) return scopes_.close();
    if (lexer_.accept(';')) return;
    if (token.kind == Token::Kind::word && token.text[0] == '.') return read_directive();
    if (token.is('@')) return read_instruction();
    const std::string_view word = lexer_.word("an instruction");
    if (lexer_.accept(':')) return read_label(word, token.line);
    read_instruction(word, token.line);
  }

  void open_scope(unsigned line) {
    if (scopes_.depth() >= deepest_scope)
      refuse(line, "expected fewer than 256 braces inside one another");
    scopes_.open();
  }

  void read_directive() {
    const Token token = lexer_.next();
    if (token.text == ".loc") return read_location(token);
    if (token.text == ".file") return read_file(lexer_, linker_, token);
    if (token.text == ".pragma") return lexer_.skip_past(';');
    const bool known = token.text == ".reg" || token.text == ".param" || token.text == ".local" ||
                       token.text == ".shared";
    if (!known)
      refuse(token.line,
             "expected a directive that the CUDA simulator knows, got " + token.quoted());
    const DeclaredType type = read_declared_type(lexer_);
    do {
      declare(token.text, read_declared_name(lexer_, type));
    } while (lexer_.accept(','));
    lexer_.expect(';');
  }

  /// .loc FILE LINE COLUMN, and what was inlined.
  void read_location(const Token& token) {
    if (lexer_.peek().kind == Token::Kind::integer) {
      source_file_ = linker_.file_of(lexer_.next().bits);
    }
    if (lexer_.peek().kind == Token::Kind::integer) {
      source_line_ = static_cast<unsigned>(lexer_.next().bits);
    }
    lexer_.skip_line(token);
  }

  void declare(std::string_view space, const Declared& declared) {
    if (space == ".reg") {
      if (declared.type.elements != 1)
        refuse(declared.line, "expected registers of one value, got a vector");
      scopes_.declare_register(declared);
    } else if (space == ".param") {
      scopes_.declare_parameter(declared);
    } else if (space == ".local") {
      scopes_.declare_local(declared);
    } else {
      linker_.declare_shared(declared, Linkage::internal);
    }
  }

  void read_label(std::string_view label, unsigned line) {
    if (lexer_.accept(".branchtargets")) return read_branch_targets(label, line);
    if (lexer_.accept(".callprototype")) return skip_prototype(label, line);
    scopes_.declare_label(label, line);
  }

  void read_branch_targets(std::string_view label, unsigned line) {
    const Entity entity{Entity::Kind::branch_targets, Type::none, nowhere,
                        function_.branch_tables.size()};
    function_.branch_tables.emplace_back();
    do {
      const std::string_view target = lexer_.word("a label");
      scopes_.branch(target, entity.offset, function_.branch_tables.back().size(), line);
      function_.branch_tables.back().push_back(0);
    } while (lexer_.accept(','));
    lexer_.expect(';');
    scopes_.declare(label, entity, line);
  }

  /// Skips the prototype: the callee is checked against the values of the call itself.
  void skip_prototype(std::string_view label, unsigned line) {
    lexer_.skip_past(';');
    scopes_.declare(label, {Entity::Kind::prototype}, line);
  }

  void read_instruction() {
    lexer_.expect('@');
    const bool negated = lexer_.accept('!');
    const std::string_view guard = lexer_.word("a predicate");
    const unsigned line = lexer_.peek().line;
    read_instruction(lexer_.word("an instruction"), line, guard, negated);
  }

  void read_instruction(std::string_view opcode, unsigned line, std::string_view guard = {},
                        bool negated = false) {
    const Statement statement{line,    source_file_, source_line_,         guard,
                              negated, opcode,       read_operands(lexer_)};
    decode(statement, function_, scopes_, linker_);
  }

  Lexer& lexer_;
  Linker& linker_;
  Function& function_;
  Scopes scopes_;
  unsigned source_file_ = 0;
  unsigned source_line_ = 0;
};

}  // namespace

void read_file(Lexer& lexer, Linker& linker, const Token& token) {
  if (lexer.peek().kind == Token::Kind::integer) {
    const std::uint64_t number = lexer.next().bits;
    const Token& name = lexer.peek();
    if (name.kind == Token::Kind::string) {
      linker.declare_file(number, name.text.substr(1, name.text.size() - 2));
    }
  }
  lexer.skip_line(token);
}

void read_body(Lexer& lexer, Linker& linker, Function& function,
               const std::vector<Declared>& results, const std::vector<Declared>& parameters) {
  BodyReader(lexer, linker, function).read(results, parameters);
}

}  // namespace array_interface::cuda_simulator::ptx
