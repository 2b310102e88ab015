import Harness
import Testing

@Suite struct LinePlotTests {
  @Test("a line over two decades")
  func drawing() {
    let plot = LinePlot(
      "Time, us", over: "steps", [.init("seek", [(1_000, 20), (100_000, 40)])])
    #expect(
      plot.svg == """
        <svg xmlns="http://www.w3.org/2000/svg" width="760" height="410" viewBox="0 0 760 410" \
        font-family="sans-serif" font-size="12">
        <rect width="760" height="410" fill="#ffffff"/>
        <text x="70" y="28" font-size="15" fill="#222222">Time, us</text>
        <path d="M70.0 50V350" stroke="#dddddd"/>
        <text x="70.0" y="368" text-anchor="middle" fill="#555555">1k</text>
        <path d="M305.0 50V350" stroke="#dddddd"/>
        <text x="305.0" y="368" text-anchor="middle" fill="#555555">10k</text>
        <path d="M540.0 50V350" stroke="#dddddd"/>
        <text x="540.0" y="368" text-anchor="middle" fill="#555555">100k</text>
        <path d="M70 350.0H540" stroke="#dddddd"/>
        <text x="62" y="350.0" dy="4" text-anchor="end" fill="#555555">10</text>
        <path d="M70 50.0H540" stroke="#dddddd"/>
        <text x="62" y="50.0" dy="4" text-anchor="end" fill="#555555">100</text>
        <text x="305" y="394" text-anchor="middle" fill="#222222">steps</text>
        <path d="M70.0 259.7L540.0 169.4" fill="none" stroke="#0072b2" stroke-width="2"/>
        <circle cx="70.0" cy="259.7" r="3" fill="#0072b2"/><circle cx="540.0" cy="169.4" r="3" fill="#0072b2"/>
        <rect x="560" y="57" width="14" height="4" fill="#0072b2"/>
        <text x="580" y="62" dy="1" fill="#222222">seek</text>
        </svg>

        """)
  }
}
