import FluxCore
import FluxLog

extension StepRecord.Change {
  /// What a step has left of a store; the state is encoded where the log is written.
  init(_ store: StoreID, in model: Model) {
    self.init(
      store: store.rawValue, state: model.snapshot(of: store).map { LogValue(immutable: $0) })
  }
}

extension LogRejection {
  init(_ rejection: Rejection) {
    self.init(
      reason: rejection.reason.rawValue, message: rejection.message,
      store: rejection.store?.rawValue)
  }
}
