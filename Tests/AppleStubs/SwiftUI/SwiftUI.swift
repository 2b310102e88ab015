// The part of SwiftUI that Examples/SwiftUI uses, with the isolation and availability of Apple's SDK (iOS 18, macOS 15). Views
// are empty: nothing is drawn.

@_exported import Foundation

// MARK: Views

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { return fatalError() }
}

extension Optional: View where Wrapped: View {
  public var body: Never { return fatalError() }
}

/// Stands for every view of SwiftUI that the example does not name.
public struct StubView: View {
  public init() {}
  public var body: Never { return fatalError() }
}

@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> StubView { StubView() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View>(first: First) -> StubView { StubView() }
  public static func buildEither<Second: View>(second: Second) -> StubView { StubView() }
}

public struct Text: View {
  public init<S: StringProtocol>(_ content: S) {}
  public var body: Never { return fatalError() }
}

public struct Label: View {
  public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
  public var body: Never { return fatalError() }
}

public struct Button: View {
  public init<Content: View>(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Content) {}
  public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
  public var body: Never { return fatalError() }
}

public struct TextField: View {
  public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
  public var body: Never { return fatalError() }
}

public struct ShareLink: View {
  public init(item: URL) {}
  public var body: Never { return fatalError() }
}

public struct List: View {
  public init<Content: View>(@ViewBuilder content: () -> Content) {}
  public var body: Never { return fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, Content: View>: View where Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
  public var body: Never { return fatalError() }
}

public struct NavigationStack: View {
  public init<Content: View>(@ViewBuilder root: () -> Content) {}
  public var body: Never { return fatalError() }
}

extension View {
  public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { StubView() }
  public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View { StubView() }
  public func padding() -> some View { StubView() }
  public func background<Style: ShapeStyle, Outline: Shape>(
    _ style: Style, in shape: Outline
  ) -> some View { StubView() }
  public func onSubmit(_ action: @escaping () -> Void) -> some View { StubView() }
  public func overlay<Content: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> Content
  ) -> some View { StubView() }
}

public protocol ShapeStyle: Sendable {}
public protocol Shape: Sendable {}
public struct Capsule: Shape {
  public init() {}
}
public struct Color: ShapeStyle {}
extension ShapeStyle where Self == Color {
  public static var yellow: Color { Color() }
}

public struct Alignment: Sendable {
  public static let center = Alignment()
  public static let top = Alignment()
}

@MainActor @preconcurrency public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

// MARK: State

@propertyWrapper public struct Binding<Value> {
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }
}

@propertyWrapper public struct State<Value> {
  public init(wrappedValue value: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}
extension State: Sendable where Value: Sendable {}
extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

public struct EnvironmentValues {
  public var scenePhase: ScenePhase { .active }
}

@propertyWrapper public struct Environment<Value> {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}

// MARK: App

public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene {}

public struct WindowGroup: Scene {
  public init<Content: View>(@ViewBuilder content: () -> Content) {}
  public var body: Never { return fatalError() }
}

@resultBuilder public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

extension Scene {
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (_ old: Value, _ new: Value) -> Void
  ) -> some Scene { WindowGroup { StubView() } }
}

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  @MainActor @preconcurrency public static func main() {}
}
