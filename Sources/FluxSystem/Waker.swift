/// A pipe to oneself that ends a wait for sockets.
package struct Waker: Sendable {
  /// The end to wait for.
  package let reading: Descriptor
  private let writing: Descriptor

  /// Creates a pipe whose ends never block.
  package init() throws(SystemError) {
    (reading, writing) = try Descriptor.pipe(isWrittenHere: true)
    reading.setNonBlocking()
    writing.setNonBlocking()
  }

  /// Ends the wait; does nothing more if it was already asked to.
  package func wake() { _ = writing.send([0]) }

  /// Forgets the calls of ``wake()`` so far.
  package func reset() { while case .bytes = reading.receive() {} }
}

extension Descriptor {
  /// Waits until a stream can be read or one of some others written, or for that long.
  ///
  /// XNU reports a closed stream only if it is to be read or written.
  ///
  /// - Parameters:
  ///   - streams: The streams, each with the events to wait for.
  ///   - milliseconds: The limit; -1 for none.
  /// - Returns: For each stream, `true` if it can be used or the other side has closed it.
  package static func wait(
    for streams: [(stream: Descriptor, reads: Bool, writes: Bool)], milliseconds: Int32
  ) -> [(canRead: Bool, canWrite: Bool)] {
    var descriptors = streams.map { entry in
      pollfd(
        fd: entry.stream.number,
        events: Int16((entry.reads ? POLLIN : 0) | (entry.writes ? POLLOUT : 0)), revents: 0)
    }
    // The array lives until the end of the call.
    guard unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else {
      return streams.map { _ in (false, false) }
    }
    let over = Int16(POLLERR | POLLHUP | POLLNVAL)
    return descriptors.map { entry in
      let isOver = entry.revents & over != 0
      return (
        entry.revents & Int16(POLLIN) != 0 || isOver, entry.revents & Int16(POLLOUT) != 0
      )
    }
  }
}
