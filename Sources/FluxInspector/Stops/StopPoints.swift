import FluxLog

/// The points at which moves stop.
struct StopPoints: Sendable {
  /// In the order of their numbers.
  private(set) var points: [StopPoint] = []
  private var lastNumber = 0

  /// Those at which moves stop now.
  var enabled: [StopPoint] { points.filter(\.isEnabled) }

  /// Adds a point.
  mutating func add(
    _ kind: StopPoint.Kind, if condition: StepExpression? = nil, isTemporary: Bool = false
  ) -> StopPoint {
    lastNumber += 1
    let point = StopPoint(
      number: lastNumber, kind: kind, condition: condition, isTemporary: isTemporary)
    points.append(point)
    return point
  }

  /// Counts that points were reached, and deletes those that are temporary.
  mutating func reach(_ numbers: [Int]) {
    for place in points.indices where numbers.contains(points[place].number) {
      points[place].hits += 1
    }
    points.removeAll { $0.isTemporary && numbers.contains($0.number) }
  }

  /// Deletes a point; returns it, nil where there is none.
  mutating func remove(_ number: Int) -> StopPoint? {
    points.firstIndex { $0.number == number }.map { points.remove(at: $0) }
  }

  /// Switches a point on or off; returns it, nil where there is none.
  mutating func setEnabled(_ isEnabled: Bool, _ number: Int) -> StopPoint? {
    guard let place = points.firstIndex(where: { $0.number == number }) else { return nil }
    points[place].isEnabled = isEnabled
    return points[place]
  }
}
