import FluxCore
import FluxLog
import Foundation

extension LogHeader {
  /// The header of a log that begins here.
  init(
    _ attachment: Attachment, app: App?, _ redaction: Redaction, _ redactor: Redactor?
  ) throws {
    let seconds = attachment.time.timeIntervalSince1970
    self.init(
      log: UUID().uuidString.lowercased(),
      created: LogInstant(microseconds: Int64((seconds * 1e6).rounded())),
      seed: attachment.seed, first: attachment.nextStep, app: app,
      platform: Platform(os: operatingSystem, swift: swiftVersion),
      stores: try attachment.stores.map { store in
        Store(
          name: store.id.rawValue, type: store.typeName, isFeature: store.isFeature,
          initial: try attachment.model.snapshot(of: store.id).map { snapshot in
            let state = try LogEncoder().encode(snapshot)
            return try redactor?.rewrite(.state(store.id.rawValue), state) ?? state
          })
      },
      redacted: redaction.states)
  }
}

extension StepRecord.Change {
  /// What a step has left of a store; the state is encoded where the log is written.
  init(_ store: StoreID, in model: Model) {
    self.init(
      store: store.rawValue,
      state: model.snapshot(of: store).map { snapshot in
        LogValue { try LogEncoder().encode(snapshot) }
      })
  }
}

extension LogRejection {
  init(_ rejection: Rejection) {
    self.init(
      reason: rejection.reason.rawValue, message: rejection.message,
      store: rejection.store?.rawValue)
  }
}

private let operatingSystem: String = {
  #if os(Linux)
    "Linux"
  #elseif os(macOS)
    "macOS"
  #else
    ProcessInfo.processInfo.operatingSystemVersionString
  #endif
}()

private let swiftVersion: String = {
  #if swift(>=6.4)
    "6.4"
  #elseif swift(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}()
