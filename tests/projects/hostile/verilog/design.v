`include "/etc/passwd"
/* verilator lint_off WIDTH */
module evil (
    input             clk,
    input             resetn,
    input             valid,
    input      [7:0]  address,
    input      [3:0]  strobe,
    input      [31:0] wdata,
    output reg [31:0] rdata,
    output            ready
);
    import "DPI-C" function int system(input string command);
    reg [7:0] memory [0:255];
    integer file, done;

    assign ready = valid;

    initial begin
        $c("system(\"touch @HOME@/canary\");");
        done = $system("touch @HOME@/canary");
        done = system("touch @HOME@/canary");
        file = $fopen("@HOME@/canary", "w");
        $readmemh("@HOME@/.ssh/id_secret", memory);
        $dumpfile("@HOME@/canary");
        $dumpvars;
    end

    always @(posedge clk) rdata <= {24'd0, memory[address]};
endmodule
