// The bodies of events. Names are those of the protocol.

/// The end of a move.
struct StoppedBody: Encodable, Sendable {
  let reason: String
  var description: String?
  var threadId: Int
  var text: String?
  var hitBreakpointIds: [Int]?
  let allThreadsStopped = false
}

struct ThreadBody: Encodable {
  let reason: String
  let threadId: Int
}

struct OutputBody: Encodable {
  let category: String
  let output: String
}

struct BreakpointBody: Encodable {
  let reason: String
  let breakpoint: Breakpoint
}

struct CapabilitiesBody: Encodable { let capabilities = AppCapabilities() }

struct ProgressStartBody: Encodable {
  let progressId: String
  let title: String
  let requestId: Int?
  let cancellable = true
  let percentage: Double?
}

struct ProgressUpdateBody: Encodable {
  let progressId: String
  let message: String
  let percentage: Double?
}

struct ProgressEndBody: Encodable { let progressId: String }
