/// Compiles a pattern's syntax tree to the program of a Thompson automaton.
struct RegularExpressionCompiler {
  typealias Instruction = RegularExpression.Instruction
  typealias Node = RegularExpressionParser.Node
  typealias SyntaxError = RegularExpression.SyntaxError

  private var program: [Instruction] = []

  consuming func finished() throws(SyntaxError) -> [Instruction] {
    try append(.accept)
    return program
  }

  private mutating func append(_ instruction: Instruction) throws(SyntaxError) {
    guard program.count < RegularExpression.programLimit else {
      throw .tooLarge
    }
    program.append(instruction)
  }

  /// Appends the instructions that match a node.
  mutating func emit(_ node: Node) throws(SyntaxError) {
    switch node {
    case .empty: break
    case .atom(let atom): try append(.consume(atom))
    case .start: try append(.start)
    case .end: try append(.end)
    case .sequence(let pieces):
      for piece in pieces { try emit(piece) }
    case .choice(let branches): try emitChoice(branches)
    case .repetition(let piece, let least, let most):
      // A repeated empty piece matches only the empty text, so it needs no loop.
      guard piece != .empty else { return }
      try emitRepetition(piece, least: least, most: most)
    }
  }

  private mutating func emitChoice(_ branches: [Node]) throws(SyntaxError) {
    var jumps: [Int] = []
    for branch in branches.dropLast() {
      let split = program.count
      try append(.split(split + 1, 0))
      try emit(branch)
      jumps.append(program.count)
      try append(.jump(0))
      program[split] = .split(split + 1, program.count)
    }
    if let last = branches.last { try emit(last) }
    for jump in jumps { program[jump] = .jump(program.count) }
  }

  private mutating func emitRepetition(
    _ piece: Node, least: Int, most: Int?
  ) throws(SyntaxError) {
    for _ in 0..<least { try emitCounted(piece) }
    guard let most else {
      let loop = program.count
      try append(.split(loop + 1, 0))
      try emit(piece)
      try append(.jump(loop))
      program[loop] = .split(loop + 1, program.count)
      return
    }
    var splits: [Int] = []
    for _ in least..<most {
      splits.append(program.count)
      try append(.split(program.count + 1, 0))
      try emit(piece)
    }
    for split in splits { program[split] = .split(split + 1, program.count) }
  }

  /// Emits one mandatory copy of a repeated piece.
  ///
  /// A copy that would emit nothing emits a jump, so every copy counts against the program limit.
  /// Otherwise, a large repetition count could make compilation slow.
  private mutating func emitCounted(_ piece: Node) throws(SyntaxError) {
    let before = program.count
    try emit(piece)
    if program.count == before { try append(.jump(before + 1)) }
  }
}
