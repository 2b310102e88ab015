import FluxInspector
import FluxJSON
import FluxLog

/// The parts that a click on a step asks for besides the step itself, so that it takes one request.
struct StepNeighbours {
  /// The largest number of caused steps.
  static let largestCaused = 6
  /// The largest number of changed values with the steps that wrote them before.
  static let largestBlamed = 8

  /// The time of the step before; nil if there is none.
  var before: LogTime?
  /// The first steps that the step caused.
  var caused: [Answer] = []
  var hasMoreCaused = false
  /// The changes of the step, or the reason why they are unknown; nil if the request does not want them.
  var differences: Result<Answer, PageError>?
  /// The steps that wrote the changed values before, by path.
  var written: [Answer] = []

  /// Writes the members of the answer.
  func set(in members: inout AnswerMembers) throws {
    try members.set("before", ifPresent: before.map { Seconds($0) })
    try members.set("caused", ifPresent: caused.isEmpty ? nil : caused)
    try members.set("moreCaused", ifTrue: hasMoreCaused)
    switch differences {
    case .success(let answer)?: try members.set("difference", answer)
    case .failure(let error)?: try members.set("difference", error)
    case nil: break
    }
    try members.set("written", ifPresent: written.isEmpty ? nil : written)
  }
}

extension AnswerMembers {
  /// Sets the members of a link to a step, but its row.
  mutating func setLink(_ link: ChainLink) throws {
    try set("n", link.number)
    try set("type", link.type)
    try set("t", link.t)
    try set("payload", ifPresent: link.payload?.excerpt(200))
    try set("effect", ifPresent: link.effect)
    try set("source", ifPresent: link.source)
  }
}
