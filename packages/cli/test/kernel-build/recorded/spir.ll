; ModuleID = 'scale.cl'
source_filename = "scale.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

@scale.tile = internal addrspace(3) global [64 x float] undef, align 4, !dbg !0

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @scale(float addrspace(1)* noalias noundef align 4 %0, i8 addrspace(1)* noundef align 1 %1, i32 addrspace(3)* noundef align 4 %2, i32 noundef %3, float noundef %4, i64 noundef %5) #0 !dbg !2 !kernel_arg_addr_space !47 !kernel_arg_access_qual !48 !kernel_arg_type !49 !kernel_arg_base_type !50 !kernel_arg_type_qual !51 !kernel_arg_name !52 {
  %7 = alloca float addrspace(1)*, align 8
  %8 = alloca i8 addrspace(1)*, align 8
  %9 = alloca i32 addrspace(3)*, align 8
  %10 = alloca i32, align 4
  %11 = alloca float, align 4
  %12 = alloca i64, align 8
  %13 = alloca i64, align 8
  store float addrspace(1)* %0, float addrspace(1)** %7, align 8, !tbaa !53
  call void @llvm.dbg.declare(metadata float addrspace(1)** %7, metadata !28, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !57
  store i8 addrspace(1)* %1, i8 addrspace(1)** %8, align 8, !tbaa !53
  call void @llvm.dbg.declare(metadata i8 addrspace(1)** %8, metadata !29, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !58
  store i32 addrspace(3)* %2, i32 addrspace(3)** %9, align 8, !tbaa !53
  call void @llvm.dbg.declare(metadata i32 addrspace(3)** %9, metadata !30, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !59
  store i32 %3, i32* %10, align 4, !tbaa !60
  call void @llvm.dbg.declare(metadata i32* %10, metadata !31, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !62
  store float %4, float* %11, align 4, !tbaa !63
  call void @llvm.dbg.declare(metadata float* %11, metadata !32, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !65
  store i64 %5, i64* %12, align 8, !tbaa !66
  call void @llvm.dbg.declare(metadata i64* %12, metadata !33, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !68
  %14 = bitcast i64* %13 to i8*, !dbg !69
  call void @llvm.lifetime.start.p0i8(i64 8, i8* %14) #5, !dbg !69
  call void @llvm.dbg.declare(metadata i64* %13, metadata !34, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !70
  %15 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !71
  store i64 %15, i64* %13, align 8, !dbg !70, !tbaa !66
  %16 = load i64, i64* %13, align 8, !dbg !72, !tbaa !66
  %17 = load i32, i32* %10, align 4, !dbg !73, !tbaa !60
  %18 = zext i32 %17 to i64, !dbg !73
  %19 = icmp ult i64 %16, %18, !dbg !74
  br i1 %19, label %20, label %25, !dbg !72

20:                                               ; preds = %6
  %21 = load float addrspace(1)*, float addrspace(1)** %7, align 8, !dbg !75, !tbaa !53
  %22 = load i64, i64* %13, align 8, !dbg !76, !tbaa !66
  %23 = getelementptr inbounds float, float addrspace(1)* %21, i64 %22, !dbg !75
  %24 = load float, float addrspace(1)* %23, align 4, !dbg !75, !tbaa !63
  br label %26, !dbg !72

25:                                               ; preds = %6
  br label %26, !dbg !72

26:                                               ; preds = %25, %20
  %27 = phi float [ %24, %20 ], [ 0.000000e+00, %25 ], !dbg !72
  %28 = call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #6, !dbg !77
  %29 = getelementptr inbounds [64 x float], [64 x float] addrspace(3)* @scale.tile, i64 0, i64 %28, !dbg !78
  store float %27, float addrspace(3)* %29, align 4, !dbg !79, !tbaa !63
  %30 = load i64, i64* %12, align 8, !dbg !80, !tbaa !66
  %31 = trunc i64 %30 to i32, !dbg !81
  %32 = load i32 addrspace(3)*, i32 addrspace(3)** %9, align 8, !dbg !82, !tbaa !53
  %33 = call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #6, !dbg !83
  %34 = getelementptr inbounds i32, i32 addrspace(3)* %32, i64 %33, !dbg !82
  store i32 %31, i32 addrspace(3)* %34, align 4, !dbg !84, !tbaa !60
  call spir_func void @_Z7barrierj(i32 noundef 1) #7, !dbg !85
  %35 = load i64, i64* %13, align 8, !dbg !86, !tbaa !66
  %36 = load i32, i32* %10, align 4, !dbg !88, !tbaa !60
  %37 = zext i32 %36 to i64, !dbg !88
  %38 = icmp ult i64 %35, %37, !dbg !89
  br i1 %38, label %39, label %55, !dbg !90

39:                                               ; preds = %26
  %40 = call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #6, !dbg !91
  %41 = xor i64 %40, 1, !dbg !92
  %42 = getelementptr inbounds [64 x float], [64 x float] addrspace(3)* @scale.tile, i64 0, i64 %41, !dbg !93
  %43 = load float, float addrspace(3)* %42, align 4, !dbg !93, !tbaa !63
  %44 = load float, float* %11, align 4, !dbg !94, !tbaa !63
  %45 = fmul float %43, %44, !dbg !95
  %46 = load i32 addrspace(3)*, i32 addrspace(3)** %9, align 8, !dbg !96, !tbaa !53
  %47 = getelementptr inbounds i32, i32 addrspace(3)* %46, i64 0, !dbg !96
  %48 = load i32, i32 addrspace(3)* %47, align 4, !dbg !96, !tbaa !60
  %49 = sitofp i32 %48 to float, !dbg !96
  %50 = fadd float %45, %49, !dbg !97
  %51 = call spir_func zeroext i8 @_Z17convert_uchar_satf(float noundef %50) #6, !dbg !98
  %52 = load i8 addrspace(1)*, i8 addrspace(1)** %8, align 8, !dbg !99, !tbaa !53
  %53 = load i64, i64* %13, align 8, !dbg !100, !tbaa !66
  %54 = getelementptr inbounds i8, i8 addrspace(1)* %52, i64 %53, !dbg !99
  store i8 %51, i8 addrspace(1)* %54, align 1, !dbg !101, !tbaa !102
  br label %55, !dbg !99

55:                                               ; preds = %39, %26
  %56 = bitcast i64* %13 to i8*, !dbg !103
  call void @llvm.lifetime.end.p0i8(i64 8, i8* %56) #5, !dbg !103
  ret void, !dbg !103
}

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: argmemonly nocallback nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #2

; Function Attrs: convergent nounwind readnone willreturn
declare !dbg !104 dso_local spir_func i64 @_Z13get_global_idj(i32 noundef) #3

; Function Attrs: convergent nounwind readnone willreturn
declare !dbg !108 dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) #3

; Function Attrs: convergent
declare !dbg !109 dso_local spir_func void @_Z7barrierj(i32 noundef) #4

; Function Attrs: convergent nounwind readnone willreturn
declare !dbg !113 dso_local spir_func zeroext i8 @_Z17convert_uchar_satf(float noundef) #3

; Function Attrs: argmemonly nocallback nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #2

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @clear(half addrspace(1)* noundef align 2 %0, double addrspace(1)* noundef align 8 %1, i16 addrspace(1)* noundef align 2 %2, i64 addrspace(1)* noundef align 8 %3) #0 !dbg !116 !kernel_arg_addr_space !133 !kernel_arg_access_qual !134 !kernel_arg_type !135 !kernel_arg_base_type !135 !kernel_arg_type_qual !136 !kernel_arg_name !137 {
  %5 = alloca half addrspace(1)*, align 8
  %6 = alloca double addrspace(1)*, align 8
  %7 = alloca i16 addrspace(1)*, align 8
  %8 = alloca i64 addrspace(1)*, align 8
  store half addrspace(1)* %0, half addrspace(1)** %5, align 8, !tbaa !53
  call void @llvm.dbg.declare(metadata half addrspace(1)** %5, metadata !129, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !138
  store double addrspace(1)* %1, double addrspace(1)** %6, align 8, !tbaa !53
  call void @llvm.dbg.declare(metadata double addrspace(1)** %6, metadata !130, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !139
  store i16 addrspace(1)* %2, i16 addrspace(1)** %7, align 8, !tbaa !53
  call void @llvm.dbg.declare(metadata i16 addrspace(1)** %7, metadata !131, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !140
  store i64 addrspace(1)* %3, i64 addrspace(1)** %8, align 8, !tbaa !53
  call void @llvm.dbg.declare(metadata i64 addrspace(1)** %8, metadata !132, metadata !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef)), !dbg !141
  %9 = call spir_func i64 @_Z13get_global_idj(i32 noundef 1) #6, !dbg !142
  %10 = icmp ugt i64 %9, 0, !dbg !144
  br i1 %10, label %11, label %12, !dbg !145

11:                                               ; preds = %4
  br label %38, !dbg !146

12:                                               ; preds = %4
  %13 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #6, !dbg !147
  %14 = load half addrspace(1)*, half addrspace(1)** %5, align 8, !dbg !148, !tbaa !53
  call spir_func void @_Z11vstore_halffmPU3AS1Dh(float noundef 0.000000e+00, i64 noundef %13, half addrspace(1)* noundef %14) #7, !dbg !149
  %15 = load double addrspace(1)*, double addrspace(1)** %6, align 8, !dbg !150, !tbaa !53
  %16 = getelementptr inbounds double, double addrspace(1)* %15, i64 1, !dbg !150
  %17 = load double, double addrspace(1)* %16, align 8, !dbg !150, !tbaa !151
  %18 = load double addrspace(1)*, double addrspace(1)** %6, align 8, !dbg !153, !tbaa !53
  %19 = getelementptr inbounds double, double addrspace(1)* %18, i64 2, !dbg !153
  %20 = load double, double addrspace(1)* %19, align 8, !dbg !153, !tbaa !151
  %21 = load double addrspace(1)*, double addrspace(1)** %6, align 8, !dbg !154, !tbaa !53
  %22 = getelementptr inbounds double, double addrspace(1)* %21, i64 3, !dbg !154
  %23 = load double, double addrspace(1)* %22, align 8, !dbg !154, !tbaa !151
  %24 = call spir_func double @_Z3fmaddd(double noundef %17, double noundef %20, double noundef %23) #6, !dbg !155
  %25 = load double addrspace(1)*, double addrspace(1)** %6, align 8, !dbg !156, !tbaa !53
  %26 = getelementptr inbounds double, double addrspace(1)* %25, i64 0, !dbg !156
  store double %24, double addrspace(1)* %26, align 8, !dbg !157, !tbaa !151
  %27 = load i16 addrspace(1)*, i16 addrspace(1)** %7, align 8, !dbg !158, !tbaa !53
  %28 = getelementptr inbounds i16, i16 addrspace(1)* %27, i64 0, !dbg !158
  store i16 0, i16 addrspace(1)* %28, align 2, !dbg !159, !tbaa !160
  %29 = load i64 addrspace(1)*, i64 addrspace(1)** %8, align 8, !dbg !162, !tbaa !53
  %30 = getelementptr inbounds i64, i64 addrspace(1)* %29, i64 1, !dbg !162
  %31 = load i64, i64 addrspace(1)* %30, align 8, !dbg !162, !tbaa !66
  %32 = load i64 addrspace(1)*, i64 addrspace(1)** %8, align 8, !dbg !163, !tbaa !53
  %33 = getelementptr inbounds i64, i64 addrspace(1)* %32, i64 2, !dbg !163
  %34 = load i64, i64 addrspace(1)* %33, align 8, !dbg !163, !tbaa !66
  %35 = call spir_func i64 @_Z6rotatemm(i64 noundef %31, i64 noundef %34) #6, !dbg !164
  %36 = load i64 addrspace(1)*, i64 addrspace(1)** %8, align 8, !dbg !165, !tbaa !53
  %37 = getelementptr inbounds i64, i64 addrspace(1)* %36, i64 0, !dbg !165
  store i64 %35, i64 addrspace(1)* %37, align 8, !dbg !166, !tbaa !66
  br label %38, !dbg !167

38:                                               ; preds = %12, %11
  ret void, !dbg !167
}

; Function Attrs: convergent
declare !dbg !168 dso_local spir_func void @_Z11vstore_halffmPU3AS1Dh(float noundef, i64 noundef, half addrspace(1)* noundef) #4

; Function Attrs: convergent nounwind readnone willreturn
declare !dbg !171 dso_local spir_func double @_Z3fmaddd(double noundef, double noundef, double noundef) #3

; Function Attrs: convergent nounwind readnone willreturn
declare !dbg !174 dso_local spir_func i64 @_Z6rotatemm(i64 noundef, i64 noundef) #3

attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { argmemonly nocallback nofree nosync nounwind willreturn }
attributes #3 = { convergent nounwind readnone willreturn "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { convergent "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #5 = { nounwind }
attributes #6 = { convergent nounwind readnone willreturn }
attributes #7 = { convergent }

!llvm.dbg.cu = !{!23}
!llvm.module.flags = !{!41, !42, !43, !44}
!opencl.ocl.version = !{!45}
!opencl.spir.version = !{!45}
!llvm.ident = !{!46}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 3, DW_OP_swap, DW_OP_xderef))
!1 = distinct !DIGlobalVariable(name: "tile", scope: !2, file: !3, line: 6, type: !38, isLocal: true, isDefinition: true)
!2 = distinct !DISubprogram(name: "scale", scope: !3, file: !3, line: 4, type: !4, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !23, retainedNodes: !27)
!3 = !DIFile(filename: "scale.cl", directory: "/recorded", checksumkind: CSK_MD5, checksum: "c9b94a59a1e4aabc93037cdf3a108b7d")
!4 = !DISubroutineType(cc: DW_CC_LLVM_OpenCLKernel, types: !5)
!5 = !{null, !6, !12, !16, !18, !8, !21}
!6 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !7)
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64, dwarfAddressSpace: 1)
!8 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !9)
!9 = !DIDerivedType(tag: DW_TAG_typedef, name: "number", file: !10, line: 1, baseType: !11)
!10 = !DIFile(filename: "number.h", directory: "/recorded", checksumkind: CSK_MD5, checksum: "d33504dd6c0901497fc459daeffaa7eb")
!11 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!12 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !13, size: 64, dwarfAddressSpace: 1)
!13 = !DIDerivedType(tag: DW_TAG_typedef, name: "uchar", file: !14, line: 95, baseType: !15)
!14 = !DIFile(filename: "/clang/opencl-c-base.h", directory: "", checksumkind: CSK_MD5, checksum: "aaeb1e16a78b41afe42f126f38dba995")
!15 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!16 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64, dwarfAddressSpace: 3)
!17 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!18 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!19 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint", file: !14, line: 105, baseType: !20)
!20 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!21 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !22)
!22 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!23 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !24, producer: "Debian clang version 15.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !25, globals: !26, splitDebugInlining: false, nameTableKind: None)
!24 = !DIFile(filename: "scale.cl", directory: "/recorded", checksumkind: CSK_MD5, checksum: "c9b94a59a1e4aabc93037cdf3a108b7d")
!25 = !{!17}
!26 = !{!0}
!27 = !{!28, !29, !30, !31, !32, !33, !34}
!28 = !DILocalVariable(name: "source", arg: 1, scope: !2, file: !3, line: 4, type: !6)
!29 = !DILocalVariable(name: "target", arg: 2, scope: !2, file: !3, line: 4, type: !12)
!30 = !DILocalVariable(name: "scratch", arg: 3, scope: !2, file: !3, line: 4, type: !16)
!31 = !DILocalVariable(name: "count", arg: 4, scope: !2, file: !3, line: 5, type: !18)
!32 = !DILocalVariable(name: "factor", arg: 5, scope: !2, file: !3, line: 5, type: !8)
!33 = !DILocalVariable(name: "offset", arg: 6, scope: !2, file: !3, line: 5, type: !21)
!34 = !DILocalVariable(name: "i", scope: !2, file: !3, line: 7, type: !35)
!35 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !36)
!36 = !DIDerivedType(tag: DW_TAG_typedef, name: "size_t", file: !14, line: 118, baseType: !37)
!37 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!38 = !DICompositeType(tag: DW_TAG_array_type, baseType: !9, size: 2048, elements: !39)
!39 = !{!40}
!40 = !DISubrange(count: 64)
!41 = !{i32 7, !"Dwarf Version", i32 5}
!42 = !{i32 2, !"Debug Info Version", i32 3}
!43 = !{i32 1, !"wchar_size", i32 4}
!44 = !{i32 7, !"frame-pointer", i32 2}
!45 = !{i32 1, i32 2}
!46 = !{!"Debian clang version 15.0.6"}
!47 = !{i32 1, i32 1, i32 3, i32 0, i32 0, i32 0}
!48 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!49 = !{!"number*", !"uchar*", !"int*", !"uint", !"number", !"long"}
!50 = !{!"float*", !"uchar*", !"int*", !"uint", !"float", !"long"}
!51 = !{!"restrict const", !"", !"", !"", !"", !""}
!52 = !{!"source", !"target", !"scratch", !"count", !"factor", !"offset"}
!53 = !{!54, !54, i64 0}
!54 = !{!"any pointer", !55, i64 0}
!55 = !{!"omnipotent char", !56, i64 0}
!56 = !{!"Simple C/C++ TBAA"}
!57 = !DILocation(line: 4, column: 49, scope: !2)
!58 = !DILocation(line: 4, column: 71, scope: !2)
!59 = !DILocation(line: 4, column: 90, scope: !2)
!60 = !{!61, !61, i64 0}
!61 = !{!"int", !55, i64 0}
!62 = !DILocation(line: 5, column: 30, scope: !2)
!63 = !{!64, !64, i64 0}
!64 = !{!"float", !55, i64 0}
!65 = !DILocation(line: 5, column: 50, scope: !2)
!66 = !{!67, !67, i64 0}
!67 = !{!"long", !55, i64 0}
!68 = !DILocation(line: 5, column: 69, scope: !2)
!69 = !DILocation(line: 7, column: 3, scope: !2)
!70 = !DILocation(line: 7, column: 16, scope: !2)
!71 = !DILocation(line: 7, column: 20, scope: !2)
!72 = !DILocation(line: 8, column: 27, scope: !2)
!73 = !DILocation(line: 8, column: 31, scope: !2)
!74 = !DILocation(line: 8, column: 29, scope: !2)
!75 = !DILocation(line: 8, column: 39, scope: !2)
!76 = !DILocation(line: 8, column: 46, scope: !2)
!77 = !DILocation(line: 8, column: 8, scope: !2)
!78 = !DILocation(line: 8, column: 3, scope: !2)
!79 = !DILocation(line: 8, column: 25, scope: !2)
!80 = !DILocation(line: 9, column: 35, scope: !2)
!81 = !DILocation(line: 9, column: 30, scope: !2)
!82 = !DILocation(line: 9, column: 3, scope: !2)
!83 = !DILocation(line: 9, column: 11, scope: !2)
!84 = !DILocation(line: 9, column: 28, scope: !2)
!85 = !DILocation(line: 10, column: 3, scope: !2)
!86 = !DILocation(line: 11, column: 7, scope: !87)
!87 = distinct !DILexicalBlock(scope: !2, file: !3, line: 11, column: 7)
!88 = !DILocation(line: 11, column: 11, scope: !87)
!89 = !DILocation(line: 11, column: 9, scope: !87)
!90 = !DILocation(line: 11, column: 7, scope: !2)
!91 = !DILocation(line: 11, column: 53, scope: !87)
!92 = !DILocation(line: 11, column: 69, scope: !87)
!93 = !DILocation(line: 11, column: 48, scope: !87)
!94 = !DILocation(line: 11, column: 76, scope: !87)
!95 = !DILocation(line: 11, column: 74, scope: !87)
!96 = !DILocation(line: 11, column: 85, scope: !87)
!97 = !DILocation(line: 11, column: 83, scope: !87)
!98 = !DILocation(line: 11, column: 30, scope: !87)
!99 = !DILocation(line: 11, column: 18, scope: !87)
!100 = !DILocation(line: 11, column: 25, scope: !87)
!101 = !DILocation(line: 11, column: 28, scope: !87)
!102 = !{!55, !55, i64 0}
!103 = !DILocation(line: 12, column: 1, scope: !2)
!104 = !DISubprogram(name: "get_global_id", linkageName: "_Z13get_global_idj", scope: !3, file: !3, line: 7, type: !105, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !107)
!105 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !106)
!106 = !{!37, !20}
!107 = !{}
!108 = !DISubprogram(name: "get_local_id", linkageName: "_Z12get_local_idj", scope: !3, file: !3, line: 8, type: !105, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !107)
!109 = !DISubprogram(name: "barrier", linkageName: "_Z7barrierj", scope: !3, file: !3, line: 10, type: !110, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !107)
!110 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !111)
!111 = !{null, !112}
!112 = !DIDerivedType(tag: DW_TAG_typedef, name: "cl_mem_fence_flags", file: !14, line: 348, baseType: !19)
!113 = !DISubprogram(name: "convert_uchar_sat", linkageName: "_Z17convert_uchar_satf", scope: !3, file: !3, line: 11, type: !114, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !107)
!114 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !115)
!115 = !{!15, !11}
!116 = distinct !DISubprogram(name: "clear", scope: !3, file: !3, line: 14, type: !117, scopeLine: 14, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !23, retainedNodes: !128)
!117 = !DISubroutineType(cc: DW_CC_LLVM_OpenCLKernel, types: !118)
!118 = !{null, !119, !121, !123, !126}
!119 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !120, size: 64, dwarfAddressSpace: 1)
!120 = !DIBasicType(name: "half", size: 16, encoding: DW_ATE_float)
!121 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !122, size: 64, dwarfAddressSpace: 1)
!122 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!123 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !124, size: 64, dwarfAddressSpace: 1)
!124 = !DIDerivedType(tag: DW_TAG_typedef, name: "ushort", file: !14, line: 100, baseType: !125)
!125 = !DIBasicType(name: "unsigned short", size: 16, encoding: DW_ATE_unsigned)
!126 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !127, size: 64, dwarfAddressSpace: 1)
!127 = !DIDerivedType(tag: DW_TAG_typedef, name: "ulong", file: !14, line: 110, baseType: !37)
!128 = !{!129, !130, !131, !132}
!129 = !DILocalVariable(name: "h", arg: 1, scope: !116, file: !3, line: 14, type: !119)
!130 = !DILocalVariable(name: "d", arg: 2, scope: !116, file: !3, line: 14, type: !121)
!131 = !DILocalVariable(name: "s", arg: 3, scope: !116, file: !3, line: 14, type: !123)
!132 = !DILocalVariable(name: "l", arg: 4, scope: !116, file: !3, line: 14, type: !126)
!133 = !{i32 1, i32 1, i32 1, i32 1}
!134 = !{!"none", !"none", !"none", !"none"}
!135 = !{!"half*", !"double*", !"ushort*", !"ulong*"}
!136 = !{!"", !"", !"", !""}
!137 = !{!"h", !"d", !"s", !"l"}
!138 = !DILocation(line: 14, column: 32, scope: !116)
!139 = !DILocation(line: 14, column: 50, scope: !116)
!140 = !DILocation(line: 14, column: 68, scope: !116)
!141 = !DILocation(line: 14, column: 85, scope: !116)
!142 = !DILocation(line: 15, column: 7, scope: !143)
!143 = distinct !DILexicalBlock(scope: !116, file: !3, line: 15, column: 7)
!144 = !DILocation(line: 15, column: 24, scope: !143)
!145 = !DILocation(line: 15, column: 7, scope: !116)
!146 = !DILocation(line: 15, column: 29, scope: !143)
!147 = !DILocation(line: 16, column: 21, scope: !116)
!148 = !DILocation(line: 16, column: 39, scope: !116)
!149 = !DILocation(line: 16, column: 3, scope: !116)
!150 = !DILocation(line: 17, column: 14, scope: !116)
!151 = !{!152, !152, i64 0}
!152 = !{!"double", !55, i64 0}
!153 = !DILocation(line: 17, column: 20, scope: !116)
!154 = !DILocation(line: 17, column: 26, scope: !116)
!155 = !DILocation(line: 17, column: 10, scope: !116)
!156 = !DILocation(line: 17, column: 3, scope: !116)
!157 = !DILocation(line: 17, column: 8, scope: !116)
!158 = !DILocation(line: 18, column: 3, scope: !116)
!159 = !DILocation(line: 18, column: 8, scope: !116)
!160 = !{!161, !161, i64 0}
!161 = !{!"short", !55, i64 0}
!162 = !DILocation(line: 19, column: 17, scope: !116)
!163 = !DILocation(line: 19, column: 23, scope: !116)
!164 = !DILocation(line: 19, column: 10, scope: !116)
!165 = !DILocation(line: 19, column: 3, scope: !116)
!166 = !DILocation(line: 19, column: 8, scope: !116)
!167 = !DILocation(line: 20, column: 1, scope: !116)
!168 = !DISubprogram(name: "vstore_half", linkageName: "_Z11vstore_halffmPU3AS1Dh", scope: !3, file: !3, line: 16, type: !169, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !107)
!169 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !170)
!170 = !{null, !11, !37, !119}
!171 = !DISubprogram(name: "fma", linkageName: "_Z3fmaddd", scope: !3, file: !3, line: 17, type: !172, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !107)
!172 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !173)
!173 = !{!122, !122, !122, !122}
!174 = !DISubprogram(name: "rotate", linkageName: "_Z6rotatemm", scope: !3, file: !3, line: 19, type: !175, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !107)
!175 = !DISubroutineType(cc: DW_CC_LLVM_SpirFunction, types: !176)
!176 = !{!37, !37, !37}
