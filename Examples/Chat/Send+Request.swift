import FluxCore

extension Send {
  /// Makes a request with the newest access token, and sends its answer.
  ///
  /// If the server refuses the token, the failure is sent first, and then the session learns of it. A store that waits
  /// for a new token is therefore already waiting when the token arrives.
  func request<Value, Answer: Action>(
    then: (Value) -> Answer, catch: (ChatFailure) -> Answer,
    _ operation: (_ token: Secret<String>) async throws -> Value
  ) async {
    guard let token = self[SessionStore.self].tokens?.access else {
      self(`catch`(.signedOut))
      return
    }
    do {
      self(then(try await operation(token)))
    } catch {
      let failure = ChatFailure(error)
      self(`catch`(failure))
      if failure == .unauthorized { self(SessionAction.expire(token)) }
    }
  }
}
