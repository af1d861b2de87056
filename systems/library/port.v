// The register interface around a coprocessor, so that Verilator reports a missing port.
module port(
  input  wire        clk,
  input  wire        rst,
  input  wire [11:0] address,
  input  wire [31:0] wdata,
  input  wire        write,
  input  wire        read,
  output wire [31:0] rdata
);
  `COPROCESSOR coprocessor(
    .clk(clk), .rst(rst), .address(address), .wdata(wdata), .write(write), .read(read), .rdata(rdata)
  );
endmodule
