package import FluxLog
package import FluxReplay

/// The files and apps that a server may use, which the person who starts it has chosen.
package struct AgentWorld: Sendable {
  /// A file that lasts as long as its keeper.
  package struct KeptFile: Sendable {
    package let path: String
    package let keeper: any Sendable

    package init(path: String, keeper: any Sendable) {
      (self.path, self.keeper) = (path, keeper)
    }
  }

  /// The logs and the folders of logs; nothing else can be opened.
  package var roots: [String]
  package var open: @Sendable (String) throws -> LogFile = { try LogFile.open($0) }
  /// Makes the app that dispatches recorded actions again; nil if there is none.
  package var app: (@Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> any ReplayApp)?
  /// Attaches to the running app; nil if the server is for none.
  package var attach:
    (@Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> any LiveApp)?
  /// Makes the place of a temporary file.
  package var temporaryFile: @Sendable (_ name: String) throws -> KeptFile
  package var version = "0"
  /// The largest number of bytes of an answer.
  package var budget = AgentWorld.usualBudget
  /// The seconds that a call may take.
  package var timeLimit = 60.0

  /// The usual number of bytes of an answer, about 4,000 tokens.
  package static let usualBudget = 12_000
  /// The smallest number of bytes of an answer.
  package static let smallestBudget = AnswerFrame.smallestBudget

  package init(
    roots: [String], temporaryFile: @escaping @Sendable (_ name: String) throws -> KeptFile
  ) {
    (self.roots, self.temporaryFile) = (roots, temporaryFile)
  }

  /// `true` if actions can be dispatched again.
  var canReplay: Bool { app != nil || attach != nil }
}
