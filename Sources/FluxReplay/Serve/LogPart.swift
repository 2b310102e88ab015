import FluxJSON
package import FluxLog
import FluxSystem
import Foundation

/// The part `log`: the bytes of the app's logs, read from their files as fast as a client takes them.
///
/// A client that reads slowly costs the app an open file, and nothing of a log is dropped: what it has not read stays in
/// the file. Only rotation deletes anything, and then the next segment begins with a later step.
package final class LogPart: AppPart, @unchecked Sendable {
  // Sendable: only the jobs of `queue` use the variables.

  /// A log on its way to a client.
  private final class Stream: @unchecked Sendable {
    // Sendable: only the jobs of `queue` use the variables.
    let client: AppClient
    let log: String
    var reader: SegmentReader
    var isAtEnd = false

    init(_ client: AppClient, _ log: String, _ reader: SegmentReader) {
      (self.client, self.log, self.reader) = (client, log, reader)
    }
  }

  /// The bytes of a text: small enough that the answers of other parts come soon.
  private static let textByteCount = 64 << 10
  /// The bytes that may wait for a client before another text is read; with one more, the client still counts as one that
  /// reads, so its events are not dropped and its requests are read.
  private static let waitingByteCount = 128 << 10
  /// The milliseconds between two looks at a file that may grow.
  private static let pulse = 25

  package let name = AppProtocol.Part.log
  package let queue = JobQueue("flux.log", quality: .utility)
  private let logs: RecordedLogs
  private let currentPath: @Sendable () -> String?
  /// The clients that get the log of the recorder, for the thread that closes it.
  private let followers = Monitor<[AppClient]>([])
  private var streams: [Stream] = []

  /// Makes the part; `currentPath` returns the path of the file that the recorder writes, nil before it writes one.
  package init(_ logs: RecordedLogs, currentPath: @escaping @Sendable () -> String?) {
    (self.logs, self.currentPath) = (logs, currentPath)
  }

  /// The id of the log that the app records, for any thread; nil before it records one.
  package var current: String? { currentSegment?.log }

  private var currentSegment: RecordedSegment? { currentPath().flatMap(logs.segment(at:)) }

  /// Returns the place after the last line of the log, for a client that follows it.
  ///
  /// The client then gets that line at once. Any thread may ask.
  package func place(for client: AppClient) -> SegmentPlace? {
    guard client.follows, let segment = currentSegment else { return nil }
    queue.add { [self] in look() }
    do throws(LogError) {
      guard var reader = try SegmentReader(segment) else { return nil }
      return try reader.lastPlace()
    } catch {
      // The client learns from the end of its stream that the file cannot be read.
      return nil
    }
  }

  /// Returns the path of the segment of a log that begins with a step or before it, for any thread.
  func path(of log: String, at step: UInt64) throws -> String {
    let segment = try logs.segments(of: log).last { $0.first <= step }
    guard let segment else { throw unknown(log) }
    return segment.path
  }

  package func leave(_ client: AppClient) {
    streams.removeAll { $0.client === client }
    followers.withLock { $0.removeAll { $0 === client } }
  }

  /// Waits until the clients that follow the log have the rest of it, because the app may end once its log is closed.
  ///
  /// - Parameter milliseconds: The time to wait at most, for clients that read too slowly.
  package func finish(milliseconds: Int) {
    let clients = followers.withLock { $0 }
    guard !clients.isEmpty else { return }
    queue.add { [self] in look() }
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    for client in clients { client.waitForEndOfLog(until: end) }
  }

  package func answer(_ request: AppRequest) throws -> any Encodable {
    let params = try LogRequest(request.params)
    switch request.method {
    case .follow:
      guard let current else { throw RPCError(.failed, "the app has not begun a log") }
      if let log = params.place?.log ?? params.log, log != current {
        throw RPCError.log(.otherLog, "the app records the log \(current), not \(log)")
      }
      return try begin(current, params.place, for: request.client)
    case .launch:
      return try begin(try name(in: params), params.place, for: request.client)
    case .launches: return ["launches": try launches()]
    default:
      let log = try name(in: params)
      guard let last = try logs.segments(of: log).last else { throw unknown(log) }
      var options = LogFile.Options()
      options.threads = 1
      let file = try LogFile.open(last.path, options: options)
      try file.waitForIndex()
      return InFlightList(try file.inFlight())
    }
  }

  private func name(in request: LogRequest) throws(RPCError) -> String {
    if let log = request.place?.log ?? request.log { return log }
    throw RPCError(.invalidParams, #"the request for a log needs "place" or "log""#)
  }

  private func unknown(_ log: String) -> RPCError {
    .log(.unknownLog, "the app no longer has the log \(log)")
  }

  private func launches() throws(LogError) -> [LogLaunch] {
    let current = current
    var launches: [LogLaunch] = []
    for segment in try logs.segments() {
      if launches.last?.log != segment.log {
        launches.append(
          LogLaunch(
            log: segment.log, created: segment.created?.description, first: segment.first, bytes: 0,
            recording: segment.log == current ? true : nil))
      }
      guard var reader = try SegmentReader(segment) else { continue }
      launches[launches.count - 1].bytes += UInt64(try reader.lastPlace().offset)
    }
    return launches
  }

  // MARK: Streams

  /// Begins to send a log from a place, instead of what the client got before.
  private func begin(
    _ log: String, _ place: SegmentPlace?, for client: AppClient
  ) throws -> LogFollowed {
    leave(client)
    let segments = try logs.segments(of: log)
    guard let last = segments.last else { throw unknown(log) }
    // Rotation deletes the oldest segments first.
    let rest = segments.filter { $0.first >= place?.first ?? 0 }
    var found: SegmentReader?
    for segment in rest where found == nil { found = try SegmentReader(segment) }
    guard var reader = found, var newest = try SegmentReader(last) else {
      throw RPCError.log(
        .otherLines, "the log has no segment that begins with step \(place?.first ?? 0) or later")
    }
    if let place, reader.segment.first == place.first, try !reader.move(to: place) {
      throw RPCError.log(
        .otherLines,
        "the log has other lines before byte \(place.offset) of the segment from step \(place.first)"
      )
    }
    let start = place.flatMap { reader.segment.first == $0.first ? $0 : nil }
    let followed = LogFollowed(
      place: start ?? SegmentPlace(log: log, first: reader.segment.first),
      end: try newest.lastPlace())
    let stream = Stream(client, log, reader)
    client.follows = log == current
    if client.follows { followers.withLock { $0.append(client) } }
    streams.append(stream)
    queue.add { [self] in
      client.send(RPCLine.notification(.logSegment, followed.place))
      send(stream)
    }
    return followed
  }

  /// Sends the next text if the client takes it; goes on later otherwise.
  private func send(_ stream: Stream) {
    guard streams.contains(where: { $0 === stream }) else { return }
    guard stream.client.waitingByteCount <= Self.waitingByteCount else {
      return stream.client.whenWaiting(atMost: Self.waitingByteCount) { [self] in
        queue.add { self.send(stream) }
      }
    }
    do {
      let next = try stream.reader.next(Self.textByteCount)
      guard next.bytes.isEmpty else {
        stream.client.send(RPCLine.notification(.logText, LogText(at: next.offset, next.bytes)))
        return queue.add { [self] in send(stream) }
      }
      try advance(stream)
    } catch let error as LogError where error.isOutOfFiles {
      lookAgain(at: stream)
    } catch {
      end(stream, LogEnded(log: stream.log, why: "\(error)"))
    }
  }

  /// Continues a log of which a segment was sent to its last line.
  private func advance(_ stream: Stream) throws {
    let segment = stream.reader.segment
    let ending = try stream.reader.ending()
    // A recorder's file that cannot be found for a while, as one that was renamed, is no end.
    let isRecorded = currentPath() != nil && current.map { $0 == stream.log } ?? true
    if ending == .closed { return end(stream, LogEnded(log: stream.log, closed: true)) }
    // A crash may have left a segment without its last line, after the next one had begun.
    if ending == .continued || !isRecorded {
      for next in try logs.segments(of: stream.log) where next.first > segment.first {
        guard let reader = try SegmentReader(next) else { continue }
        stream.reader = reader
        let place = SegmentPlace(log: stream.log, first: next.first)
        stream.client.send(RPCLine.notification(.logSegment, place))
        return queue.add { [self] in send(stream) }
      }
    }
    guard isRecorded else { return end(stream, LogEnded(log: stream.log)) }
    lookAgain(at: stream)
  }

  private func lookAgain(at stream: Stream) {
    stream.isAtEnd = true
    queue.whenIdle(forMilliseconds: Self.pulse) { [self] in look() }
  }

  private func end(_ stream: Stream, _ ended: LogEnded) {
    stream.client.send(RPCLine.notification(.logEnded, ended))
    // The client waits for no place of a log that it does not get.
    stream.client.follows = false
    streams.removeAll { $0 === stream }
  }

  /// Looks for lines that were appended.
  private func look() {
    for stream in streams where stream.isAtEnd {
      stream.isAtEnd = false
      send(stream)
    }
  }
}
